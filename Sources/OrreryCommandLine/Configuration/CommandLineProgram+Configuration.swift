// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

extension CommandLineProgram {
  /// The words of a command line, with those that a configuration adds.
  package struct ConfiguredWords {
    let words: [String]
    private let settings: [Configuration.Setting]

    package init(words: [String], settings: [Configuration.Setting] = []) {
      (self.words, self.settings) = (words, settings)
    }

    /// A failure to parse them, with where the option that it names was set.
    func explained(_ outcome: Outcome) -> Outcome {
      guard case .failure(let line, let code) = outcome else { return outcome }
      return .failure(line: explained(line), code: code)
    }

    /// A line, with where the option that it names was set.
    package func explained(_ line: String) -> String {
      let named = settings.first { setting in
        line.ranges(of: "--" + setting.option).contains { range in
          guard range.upperBound < line.endIndex else { return true }
          return !line[range.upperBound].isLetter && line[range.upperBound] != "-"
        }
      }
      return named.map { "\(line) (--\($0.option) is set by \($0.source))" } ?? line
    }
  }

  /// Adds options that are set elsewhere and not given.
  ///
  /// Programs that another one of Orrery's has started get all their options from it, and read no configuration; neither do those
  /// with `ORRERY_CONFIG=none`.
  ///
  /// - Parameters:
  ///   - words: The words of the command line.
  ///   - start: Where options begin: behind the names of commands.
  ///   - program: One of `Configuration.programs`.
  ///   - tree: Its options.
  /// - Returns: The words, and what was added.
  /// - Throws: `Failure`: what is set is not possible.
  static func configured(
    _ words: [String], at start: Int, program: String, tree: () -> CommandTree?
  ) throws(Failure) -> ConfiguredWords {
    let asks = ["-h", "--help", "--version", "--experimental-dump-help"]
    guard getenv("ORRERY_PARENT") == nil, Environment.value("ORRERY_CONFIG") != "none",
      !words.contains(where: asks.contains)
    else {
      return ConfiguredWords(words: words)
    }
    let configuration = try Configuration(of: program, tree: tree)
    let given = words.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
    let settings = configuration.settings.filter { setting in
      !setting.names.contains { given.contains($0) }
    }
    var all = words
    all.insert(contentsOf: settings.compactMap(\.word), at: start)
    return ConfiguredWords(words: all, settings: settings)
  }
}
