// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryDocument

/// Options of a program that are not on its command line: from the environment and from two files.
///
/// From the strongest: words of the command line, `ORRERY_SIM_THREADS`, `orrery.toml` in the working directory,
/// `$XDG_CONFIG_HOME/orrery/config.toml`, the default. A file has a table for each program, with its options without
/// their dashes:
///
///     [sim]
///     threads = 2
///     lockstep = true
package struct Configuration {
  /// Programs whose options may be set so.
  package static let programs = ["run", "sim", "renderer", "logger", "live"]

  /// The file of the working directory.
  package static let localFile = "orrery.toml"

  /// What the file of the working directory may not set, because it may be somebody else's.
  private static let trusted: Set = ["keys", "listen"]

  /// An option that is set.
  package struct Setting: Equatable, Sendable {
    /// The option without its dashes, as `threads`.
    package let option: String
    /// Its value as it is typed; of a flag `true` or `false`.
    package let value: String
    /// Where it is set: `orrery.toml:3`, or the name of a variable.
    package let source: String
    /// All names of the option, with dashes.
    let names: [String]
    /// The word that stands for it; nil for a flag that is `false`.
    package let word: String?
  }

  /// What is set, each option once, in the order of help.
  package let settings: [Setting]

  /// Reads what is set for a program.
  ///
  /// - Parameters:
  ///   - program: One of `programs`.
  ///   - environment: Variables as `NAME=VALUE`.
  ///   - tree: The program's options; called only if anything is set.
  /// - Throws: `Failure`: a file cannot be read, or it, or a variable, sets what the program has not.
  package init(
    of program: String, environment: [String] = Self.environment, tree: () -> CommandTree?
  ) throws(Failure) {
    let variables = environment.compactMap { line -> (name: String, value: String)? in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty else { return nil }
      return (String(parts[0]), String(parts[1]))
    }
    let prefix = Self.variable(program, "")
    var found = variables.filter { $0.name.hasPrefix(prefix) }.map { variable in
      Found(
        key: variable.name.dropFirst(prefix.count).lowercased().replacing("_", with: "-"),
        value: variable.value == "true" || variable.value == "false"
          ? .bool(variable.value == "true") : .string(variable.value),
        source: variable.name)
    }
    found += try ConfigurationFile(Self.localFile).found(for: program)
    if let path = Self.userFile(variables) {
      found += try ConfigurationFile(path).found(for: program)
    }
    guard !found.isEmpty, let tree = tree() else {
      settings = []
      return
    }
    let options = Self.options(tree)
    var settings: [String: Setting] = [:]
    for one in found {
      let setting = try Self.setting(one, of: program, options)
      // The stronger ones come first.
      if settings[one.key] == nil { settings[one.key] = setting }
    }
    self.settings = options.compactMap { settings[$0.name] }
  }

  /// A value that was found, not yet compared with the program's options.
  struct Found {
    let key: String
    let value: DocumentValue
    let source: String
  }

  /// An option that may be set: one with one value, or a flag.
  struct Settable {
    let name: String
    let part: CommandParts.Part
  }

  static func options(_ tree: CommandTree) -> [Settable] {
    tree.parts.parts.compactMap { part in
      guard !part.isRepeating, let name = part.names.first(where: { $0.hasPrefix("--") }),
        !["--help", "--version"].contains(name)
      else { return nil }
      return Settable(name: String(name.dropFirst(2)), part: part)
    }
  }

  /// Every option that may be set, with its value and where that comes from; a default comes from nowhere.
  ///
  /// - Parameter tree: The program's options.
  /// - Returns: In the order of help.
  package func all(_ tree: CommandTree) -> [(option: String, value: String, source: String?)] {
    Self.options(tree).map { option in
      let setting = settings.first { $0.option == option.name }
      let usual = option.part.takesValue ? option.part.defaultValue : "false"
      return (option.name, setting?.value ?? usual, setting?.source)
    }
  }

  private static func setting(
    _ found: Found, of program: String, _ options: [Settable]
  ) throws(Failure) -> Setting {
    let (key, source) = (found.key, found.source)
    guard let option = options.first(where: { $0.name == key }) else {
      let isVariable = source.hasPrefix(variable(program, ""))
      let names = options.map { isVariable ? variable(program, $0.name) : $0.name }
      let question = NearestName.question(isVariable ? source : key, among: names)
      throw Failure(
        .usage,
        (isVariable ? source : "\(source): \(key)") + ": no option of \(program) with one value"
          + question)
    }
    if trusted.contains(key), source.hasPrefix(localFile + ":") {
      throw Failure(
        .usage,
        "\(source): \(key): not from the working directory; set it in the user's file, or by "
          + variable(program, key))
    }
    let isFlag = !option.part.takesValue
    let value: String? =
      switch found.value {
      case .bool(let value) where isFlag: "\(value)"
      case .string(let value) where !isFlag: value
      case .integer(let value) where !isFlag: "\(value)"
      case .number(let value) where !isFlag: "\(value)"
      default: nil
      }
    guard let value else {
      let wanted = isFlag ? "true or false" : "one number or one text"
      throw Failure(.usage, "\(source): \(key): \(wanted) is wanted")
    }
    let word = isFlag ? (value == "true" ? "--\(key)" : nil) : "--\(key)=\(value)"
    return Setting(
      option: key, value: value, source: source, names: option.part.names, word: word)
  }

  /// The variable of an option: `ORRERY_SIM_STALL_LIMIT`.
  private static func variable(_ program: String, _ option: String) -> String {
    "ORRERY_\(program)_\(option)".uppercased().replacing("-", with: "_")
  }

  /// The user's file for these variables; nil where none says where it is.
  private static func userFile(_ variables: [(name: String, value: String)]) -> String? {
    func folder(_ name: String) -> String? {
      // A relative path is to be ignored, says the XDG specification.
      variables.first { $0.name == name && $0.value.hasPrefix("/") }?.value
    }
    let base = folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }
    return base.map { $0 + "/orrery/config.toml" }
  }

  /// The files that are read, the stronger one first, and whether each is there.
  package static var files: [(path: String, exists: Bool)] {
    let user = userFile(
      ["XDG_CONFIG_HOME", "HOME"].compactMap { name in
        Environment.value(name).map { (name, $0) }
      })
    return ([localFile] + [user].compactMap { $0 }).map { ($0, access($0, F_OK) == 0) }
  }

  /// The variables that this process began with, as `NAME=VALUE`.
  package static var environment: [String] {
    (SmallFile.read("/proc/self/environ", bytesMax: 2 << 20) ?? "")
      .split(separator: "\0").map(String.init)
  }
}
