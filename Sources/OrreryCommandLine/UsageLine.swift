// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

/// One line that says what is wrong with the words of a command line.
///
/// ArgumentParser says it in several lines, suggests options that are not near, and does not say which values
/// an option takes. Its message is the only public account of what is wrong, so it is read here.
struct UsageLine {
  /// What is wrong, in one line.
  let text: String

  /// Reads a message of ArgumentParser.
  ///
  /// - Parameters:
  ///   - message: The message without prefix and usage.
  ///   - words: The words after the command's name.
  ///   - parts: The options and arguments of the command.
  ///   - helpCommand: The command that prints the help.
  init(message: String, words: ArraySlice<String>, parts: CommandParts, helpCommand: String) {
    let line = String(message.prefix { $0 != "\n" })
    let seeHelp = "; see '\(helpCommand)'"
    let unknown = parts.unknownOption(words) ?? Self.quoted(line, after: "Unknown option ")
    if let name = unknown {
      text =
        Double(name) == nil
        ? "no option \(name)" + (Self.question(name, parts) ?? seeHelp)
        : "\(name): no number below 0 is possible here\(seeHelp)"
    } else if let synopsis = Self.quoted(line, after: "Missing expected argument ") {
      text = "\(synopsis) is missing" + (parts.part(synopsis).map(Self.wanted) ?? "")
    } else if let synopsis = Self.quoted(line, after: "Missing value for ") {
      text = "\(synopsis): the value is missing" + (parts.part(synopsis).map(Self.wanted) ?? "")
    } else if let bad = BadValue(line) {
      text = bad.text(parts)
    } else if line.hasPrefix("Unexpected argument ") || line.contains(" unexpected arguments: ") {
      text = Self.plain(line) + seeHelp
    } else {
      text = Self.isOurs(line) ? message : Self.plain(line)
    }
  }

  /// The text between the first quotes after a beginning; nil if the line begins otherwise.
  private static func quoted(_ line: String, after beginning: String) -> String? {
    guard line.hasPrefix(beginning + "'") else { return nil }
    return String(line.dropFirst(beginning.count + 1).prefix { $0 != "'" })
  }

  /// `; did you mean --duration?`, or nil if no option is near.
  private static func question(_ name: String, _ parts: CommandParts) -> String? {
    let known =
      parts.parts.flatMap(\.names).filter { $0.hasPrefix("--") } + ["--version", "--help"]
    let letters = String(name.drop { $0 == "-" })
    let nearest = NearestName.find(letters, among: known.map { String($0.dropFirst(2)) })
    return nearest.map { "; did you mean --\($0)?" }
  }

  /// `: use live or lockstep`, or the help of the part.
  static func wanted(_ part: CommandParts.Part) -> String {
    guard part.words.isEmpty else { return ": use " + list(part.words) }
    return part.help.isEmpty ? "" : ": " + plain(part.help)
  }

  /// Words with commas and an `or`.
  private static func list(_ words: [String]) -> String {
    let start = words.dropLast().joined(separator: ", ")
    return start.isEmpty ? words.joined() : "\(start) or \(words.last ?? "")"
  }

  /// A sentence as a part of a line: a small first letter, and no full stop.
  private static func plain(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    // A word in capitals stays: PNG, LZ4.
    guard let second = text.dropFirst().first, second.isLowercase || second == " " else {
      return text
    }
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Whether a message is one of Orrery's, which begin with a small letter or with the name of an option.
  private static func isOurs(_ line: String) -> Bool { line.first?.isUppercase != true }
}

/// A value that an option or an argument cannot have.
private struct BadValue {
  private let value: String
  /// As `--rate <rate>`, or `<scene>`.
  private let synopsis: String
  /// Why not, if the option's own reader said it.
  private let reason: String?

  /// Reads `The value '0' is invalid for '--rate <rate>'` and what follows.
  init?(_ line: String) {
    let (beginning, middle) = ("The value '", "' is invalid for '")
    // The value may have quotes, too: what follows the last `middle` is ArgumentParser's.
    guard line.hasPrefix(beginning), let range = line.ranges(of: middle).last else { return nil }
    value = String(line[..<range.lowerBound].dropFirst(beginning.count))
    let rest = line[range.upperBound...]
    synopsis = String(rest.prefix { $0 != "'" })
    let after = rest.dropFirst(synopsis.count + 1)
    reason = after.hasPrefix(": ") ? String(after.dropFirst(2)) : nil
  }

  /// The line, with the values that are possible.
  func text(_ parts: CommandParts) -> String {
    let name = "\(synopsis.prefix { $0 != " " }) \(value.isEmpty ? "''" : value)"
    if let reason { return "\(name): \(reason)" }
    guard let part = parts.part(synopsis) else { return "\(name) is not possible" }
    // One letter of two is no slip: 1 does not mean 2.
    let question = value.count > 2 ? NearestName.question(value, among: part.words) : ""
    return (part.words.isEmpty ? "\(name) is not possible" : name) + UsageLine.wanted(part)
      + question
  }
}
