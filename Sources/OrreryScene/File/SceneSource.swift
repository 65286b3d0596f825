// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryDocument

/// Finds a scene by a path or a name, as a user types it.
package enum SceneSource {
  /// Reads a scene.
  ///
  /// - Parameter nameOrPath: The path of a file if it has a slash or ends in `.toml` or `.json`;
  ///   otherwise the name of a built-in scene.
  /// - Returns: The scene with the locations of its values.
  /// - Throws: Every case of `SceneError`.
  package static func load(nameOrPath: String) throws(SceneError) -> SceneFile {
    if isPath(nameOrPath) {
      return try SceneFile.decode(read(nameOrPath), file: nameOrPath)
    }
    guard let text = BuiltInScenes.text(nameOrPath) else {
      let nearest =
        file(named: nameOrPath) ?? NearestName.find(nameOrPath, among: BuiltInScenes.names)
      throw .unknownScene(
        name: SceneChecker.shown(nameOrPath), nearest: nearest, known: BuiltInScenes.names)
    }
    let file = try SceneFile.decode(text, file: nameOrPath + ".toml")
    return BuiltInScenes.workloads.contains(nameOrPath) ? file : file.asBuiltIn
  }

  /// Reads the scene that a command's argument names: as `load`, or `-` for standard input.
  package static func load(argument: String) throws(SceneError) -> SceneFile {
    guard argument == "-" else { return try load(nameOrPath: argument) }
    let bytes: [UInt8]
    do throws(SystemCallError) {
      bytes = try readBytes(from: STDIN_FILENO, "standard input")
    } catch {
      throw .unreadable(error)
    }
    return try SceneFile.decode(text(of: bytes, "-"), file: "-")
  }

  /// Whether this is a path and not the name of a built-in scene.
  package static func isPath(_ nameOrPath: String) -> Bool {
    // A trace is no scene, but it has one.
    nameOrPath.contains("/")
      || (SceneFile.endings + [".mcap"]).contains { nameOrPath.hasSuffix($0) }
  }

  /// A file of this directory whose ending was left out, or that has another ending.
  private static func file(named name: String) -> String? {
    (SceneFile.endings.map { name + $0 } + ["./" + name]).first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }

  private static func read(_ path: String) throws(SceneError) -> String {
    let bytes: [UInt8]
    do throws(SystemCallError) {
      let number = try systemCall("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
      let file = FileDescriptor(owning: number)
      bytes = try readBytes(from: file.number, path)
    } catch {
      throw .unreadable(error)
    }
    return try text(of: bytes, path)
  }

  /// The first bytes of every trace: MCAP's, in which the first is no UTF-8.
  private static let traceMagic: [UInt8] = [0x89, 0x4d, 0x43, 0x41, 0x50]

  /// The first bytes of every table in Parquet, whose rest is no UTF-8.
  private static let parquetMagic = Array("PAR1".utf8)

  /// The text of a file, if it is not too long and UTF-8.
  private static func text(of bytes: [UInt8], _ path: String) throws(SceneError) -> String {
    if bytes.starts(with: traceMagic) { throw .isTrace(file: path) }
    guard bytes.count <= SceneLimits.fileBytesMax else {
      throw .tooLarge(file: path, limitBytes: SceneLimits.fileBytesMax)
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if bytes.starts(with: parquetMagic) { throw .isParquet(file: path) }
    let position = TextPosition(ofByte: invalidOffset(bytes), in: bytes)
    throw .notUTF8(file: path, line: position.line, column: position.column)
  }

  /// Reads at most one byte more than the limit of a scene file.
  private static func readBytes(
    from descriptor: CInt, _ path: String
  ) throws(SystemCallError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while bytes.count <= SceneLimits.fileBytesMax {
      let wanted = min(chunk.count, SceneLimits.fileBytesMax + 1 - bytes.count)
      let count = try systemCall("read", path) {
        chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, wanted) }
      }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Offset of the first byte that is not part of a valid character.
  private static func invalidOffset(_ bytes: [UInt8]) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
    return offset
  }
}
