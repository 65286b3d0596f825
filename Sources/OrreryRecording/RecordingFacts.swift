// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// What a trace says of its recording, as metadata `orrery.recording`.
package enum RecordingFacts {
  /// Collects the facts.
  ///
  /// - Parameters:
  ///   - mode: full, digest or flight.
  ///   - version: The program's version and commit, in words.
  ///   - arguments: Of the command line, with the program's name.
  ///   - recordsHost: Whether the machine is named too.
  ///   - startNs: When the recording began, in nanoseconds since 1970.
  /// - Returns: The facts by their names.
  package static func make(
    mode: String, version: String, arguments: [String], recordsHost: Bool, startNs: UInt64
  ) -> [String: String] {
    var facts = [
      "mode": mode, "program": "logger", "version": version, "started_ns": "\(startNs)",
      "command_line": words(arguments),
    ]
    if recordsHost {
      var system = utsname()
      if uname(&system) == 0 {
        facts["host"] = text(&system.nodename)
        facts["system"] = text(&system.sysname) + " " + text(&system.release)
        facts["machine"] = text(&system.machine)
        facts["processors"] = "\(Processors.count)"
      }
    }
    return facts
  }

  /// Options whose values are left out: where keys are is nobody's affair.
  private static let secret: Set<String> = ["--keys"]

  /// The command line as a shell would read it, without secrets.
  static func words(_ arguments: [String]) -> String {
    var words: [String] = []
    var hidesNext = false
    for (index, argument) in arguments.enumerated() {
      // Of the program, its name is enough; its folder is the host's affair.
      var word = index == 0 ? String(argument.split(separator: "/").last ?? "") : argument
      if hidesNext { word = "..." }
      hidesNext = secret.contains(argument)
      if let name = secret.first(where: { argument.hasPrefix($0 + "=") }) { word = name + "=..." }
      words.append(quoted(word))
    }
    return words.joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte > 0x7f || "+,-./:=@_%".utf8.contains(byte)
        || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
        || (0x61...0x7a).contains(byte)
    }
    return isPlain && !word.isEmpty ? word : ShellText.quoted(word)
  }

  private static func text<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
