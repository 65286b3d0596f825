// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: Pango and Cairo, half of all libraries, are loaded by programs that draw or measure text, and by no others.
///
/// Method: the system's own list of what it loads; a library that cannot be loaded.
@Suite struct LibraryProcessTests {
  /// Runs a program with a variable of the system's loader.
  private static func run(
    _ command: String, with setting: String, in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try place.write(#"{"label":"CHF"}"#, to: "label")
    return try Program.run(
      "/bin/bash", ["-c", "\(setting) exec \(Program.directory)/\(command)"], in: place)
  }

  @Test(arguments: ["orrery", "sim", "renderer", "logger", "live", "metrics", "bench"])
  func startLoadsNothingForDrawing(program: String) throws {
    let run = try Self.run("\(program) --version", with: "LD_DEBUG=files", in: try Place())
    #expect(run.code == 0 && run.errorText.contains("libzmq.so"), "\(run.errorText)")
    #expect(!run.errorText.contains("libpango"))
    #expect(!run.errorText.contains("libcairo"))
  }

  @Test func textLoadsThem() throws {
    let run = try Self.run("orrery eval < label", with: "LD_DEBUG=files", in: try Place())
    #expect(run.code == 0 && run.errorText.contains("libpango"), "\(run.errorText)")
  }

  @Test func missingLibraryIsOneLine() throws {
    let place = try Place()
    try place.write("no library", to: "libpangocairo-1.0.so.0")
    let run = try Self.run(
      "orrery eval < label", with: "LD_LIBRARY_PATH=" + place.files, in: place)
    #expect(run.code == 69 && run.text.isEmpty, "\(run)")
    #expect(run.errorText.hasPrefix("orrery: Pango cannot be loaded: \(place.files)/libpangocairo"))
    #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
  }
}
