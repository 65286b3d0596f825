// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryText

/// Checks of what other packages bring: fonts, ffmpeg, Python.
extension Doctor {
  /// Fonts with the letters, the signs and the flags of the built-in scenes.
  var fonts: DoctorCheck {
    let measurer = TextMeasurer()
    var missing: [String] = []
    func check(_ body: () throws(TextError) -> Void) {
      do throws(TextError) { try body() } catch { missing.append("\(error)") }
    }
    for text in ["Orrery", "日本", "한국", "مصر"] {
      check { () throws(TextError) in _ = try measurer.measure(text, font: "Noto Sans 13") }
    }
    check { () throws(TextError) in try measurer.checkFlag("🇯🇵") }
    var seen: Set<String> = []
    missing.removeAll { !seen.insert($0).inserted }
    guard !missing.isEmpty else {
      return .fine("fonts", "Noto Sans, with Chinese, Japanese, Korean, Arabic, and flags")
    }
    return .finding(
      "fonts", missing.joined(separator: "; "),
      cost: "scenes with such text are refused, with code 69",
      remedy: "apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji fontconfig")
  }

  /// The encoder of videos.
  var ffmpeg: DoctorCheck {
    var found = "not on PATH"
    if let run = try? ChildProcess.run("ffmpeg", ["-hide_banner", "-encoders"]) {
      if run.text.contains(" libx264 ") { return .fine("ffmpeg", "on PATH, with libx264") }
      found = run.hasSucceeded ? "has no encoder libx264" : "does not start"
    }
    return .finding(
      "ffmpeg", found, cost: "no videos: orrery run and renderer --video end with code 69",
      remedy: "apt-get install ffmpeg; or orrery run --no-video")
  }

  /// The modules of Python that tables and subscribers import.
  var pythonParts: DoctorCheck {
    let name = "python parts"
    let modules = [
      "pyarrow": "orrery trace export arrow and parquet", "zmq": "subscribers in Python",
      "google.protobuf": "subscribers in Python", "numpy": "subscribers in Python",
    ]
    let packages = ["zmq": "pyzmq", "google.protobuf": "protobuf"]
    let script = """
      import importlib.util, sys
      for name in sys.argv[1:]:
          try: found = importlib.util.find_spec(name)
          except ImportError: found = None
          if not found: print(name)
      """
    let names = modules.keys.sorted()
    let program = python ?? "python3"
    guard let run = try? ChildProcess.run(program, ["-c", script] + names), run.hasSucceeded
    else {
      return .finding(
        name, "\(program) cannot be run",
        cost: "no tables: orrery trace export arrow and parquet end with code 69",
        remedy: "apt-get install python3, or set ORRERY_PYTHON to the path of a Python 3")
    }
    let missing = run.text.split(separator: "\n").map(String.init)
    guard !missing.isEmpty else {
      return .fine(name, "\(program) has pyarrow, pyzmq, protobuf and numpy")
    }
    let uses = Set(missing.compactMap { modules[$0] }).sorted()
    let wanted = missing.map { packages[$0] ?? $0 }.joined(separator: " ")
    return .finding(
      name, "\(program) lacks \(wanted)",
      cost: "does not work with it: \(uses.joined(separator: "; "))",
      remedy: "python3 -m venv FOLDER; FOLDER/bin/pip install \(wanted);"
        + " export ORRERY_PYTHON=FOLDER/bin/python")
  }
}
