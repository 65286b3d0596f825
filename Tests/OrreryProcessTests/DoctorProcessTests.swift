// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: `orrery doctor` finds what a process lacks, says it in text and in JSON, and its remedy mends it.
///
/// Method: troubles that a shell plants around it: an empty PATH, no fonts, limits, a small /dev/shm, folders of other
/// modes. The machine of the tests may have findings of its own, so each check is looked at by its name.
@Suite struct DoctorProcessTests {
  /// What the doctor says of one thing.
  private struct Answer {
    let isFine: Bool
    let found: String
    let remedy: String
  }

  /// Runs the doctor behind words of a shell, and finds a check in its report.
  private static func ask(
    _ name: String, after shell: String = "", in place: Place
  ) throws -> Answer {
    let run = try Program.run(
      "/bin/bash", ["-c", "\(shell)\nexec \(Program.directory)/orrery doctor --json"], in: place)
    let report = try report("orrery.doctor.v1", in: run.text)
    #expect(try Repository.schema("doctor").faults(of: Data(run.text.utf8)) == [], "\(run.text)")
    #expect(run.code == (number("findings", in: report) == 0 ? 0 : 1), "\(run.errorText)")
    let checks = report["checks"] as? [[String: Any]] ?? []
    let check = try #require(checks.first { $0["name"] as? String == name }, "\(run.text)")
    return Answer(
      isFine: check["is_fine"] as? Bool ?? false, found: check["found"] as? String ?? "",
      remedy: check["remedy"] as? String ?? "")
  }

  /// What a shell plants, what is found, what the remedy begins with, and what a shell does of it.
  static let troubles:
    [(name: String, plant: String, found: String, remedy: String, mend: String)] = [
      (
        "ffmpeg", "mkdir -p bin; export PATH=$PWD/bin", "not on PATH", "apt-get install ffmpeg",
        "export PATH=/usr/bin:/bin"
      ),
      (
        "fonts", "echo '<fontconfig/>' > fonts.conf; export FONTCONFIG_FILE=$PWD/fonts.conf",
        #"font family "Noto Sans" is not installed"#, "apt-get install fonts-noto-core",
        "unset FONTCONFIG_FILE"
      ),
      ("descriptors", "ulimit -S -n 100", "ulimit -n is 100", "ulimit -n 1024", "ulimit -n 1024"),
      (
        "memory", "ulimit -S -v 1200000", "as ulimit -v allows", "ulimit -v unlimited",
        "ulimit -v unlimited"
      ),
      (
        "python parts", "export ORRERY_PYTHON=/nowhere/python", "/nowhere/python cannot be run",
        "apt-get install python3, or set ORRERY_PYTHON", "export ORRERY_PYTHON=\(Program.python)"
      ),
      (
        "runtime directory", "export XDG_RUNTIME_DIR=/nowhere", "/nowhere does not exist",
        "export XDG_RUNTIME_DIR=FOLDER", "mkdir own; export XDG_RUNTIME_DIR=$PWD/own"
      ),
      (
        "runtime directory",
        "mkdir -p open/orrery; chmod 755 open/orrery; export XDG_RUNTIME_DIR=$PWD/open",
        "must be a directory of this user with mode 0700", "chmod 700 ", "chmod 700 open/orrery"
      ),
      (
        "runtime directory", "export XDG_RUNTIME_DIR=$PWD/\(String(repeating: "x", count: 90))",
        "longer than 107 bytes", "export XDG_RUNTIME_DIR=FOLDER",
        "mkdir own; export XDG_RUNTIME_DIR=$PWD/own"
      ),
    ]

  @Test(arguments: troubles.indices)
  func troubleIsFoundAndMended(index: Int) throws {
    let trouble = Self.troubles[index]
    let place = try Place()
    let found = try Self.ask(trouble.name, after: trouble.plant, in: place)
    #expect(!found.isFine && found.found.contains(trouble.found), "\(found)")
    #expect(found.remedy.hasPrefix(trouble.remedy), "\(found)")
    let mended = try Self.ask(
      trouble.name, after: trouble.plant + "\n" + trouble.mend, in: place)
    #expect(mended.isFine, "\(mended)")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: mounts a small /dev/shm"))
  func smallSharedMemoryIsFoundAndMended() throws {
    let place = try Place()
    let script = """
      mount -t tmpfs -o size=1m,mode=1777 tmpfs /dev/shm || exit 99
      \(Program.directory)/orrery doctor
      mount -o remount,size=1G /dev/shm
      \(Program.directory)/orrery doctor
      """
    let run = try Program.run(
      "/usr/bin/unshare", ["-m", "--propagation", "private", "bash", "-c", script], in: place)
    let lines = run.text.split(separator: "\n").filter { $0.contains(" /dev/shm: ") }
    #expect(lines == ["finding  /dev/shm: 1.0 MB free", "ok       /dev/shm: 1073.7 MB free"])
  }

  /// A Python without modules is named with what it lacks; those of the tests lack nothing.
  @Test func missingModulesAreNamed() throws {
    let place = try Place()
    let empty = "printf '#!/bin/sh\\nexec python3 -I -S \"$@\"\\n' > empty; chmod +x empty"
    let answer = try Self.ask(
      "python parts", after: "\(empty)\nexport ORRERY_PYTHON=$PWD/empty", in: place)
    #expect(!answer.isFine && answer.found.contains("lacks protobuf numpy pyarrow pyzmq"))
    #expect(answer.remedy.contains("pip install protobuf numpy pyarrow pyzmq"), "\(answer)")
  }

  /// It looks, and leaves nothing: not even the folder of runs, which the first run makes.
  @Test func nothingIsLeftBehind() throws {
    let place = try Place()
    let answer = try Self.ask("runtime directory", in: place)
    #expect(answer.isFine && answer.found.hasSuffix(", which the first run makes"), "\(answer)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.runtime) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.files) == [])
  }
}
