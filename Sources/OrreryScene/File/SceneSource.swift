// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Finds a scene by a path or a name, as a user types it.
package enum SceneSource {
  /// Reads a scene.
  ///
  /// - Parameter nameOrPath: The path of a TOML file if it has a slash or ends in `.toml`;
  ///   otherwise the name of a built-in scene.
  /// - Returns: The scene with the locations of its values.
  /// - Throws: Every case of `SceneError`.
  package static func load(nameOrPath: String) throws(SceneError) -> SceneFile {
    if nameOrPath.contains("/") || nameOrPath.hasSuffix(".toml") {
      return try SceneFile.decode(read(nameOrPath), file: nameOrPath)
    }
    guard let text = BuiltInScenes.text(nameOrPath) else {
      let nearest = NearestName.find(nameOrPath, among: BuiltInScenes.names)
      throw .unknownScene(
        name: SceneChecker.shown(nameOrPath), nearest: nearest, known: BuiltInScenes.names)
    }
    return try SceneFile.decode(text, file: nameOrPath + ".toml")
  }

  private static func read(_ path: String) throws(SceneError) -> String {
    var bytes: [UInt8] = []
    do throws(SystemCallError) {
      bytes = try readBytes(path)
    } catch {
      throw .unreadable(error)
    }
    guard bytes.count <= SceneLimits.fileBytesMax else {
      throw .tooLarge(file: path, limitBytes: SceneLimits.fileBytesMax)
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let position = TextPosition(ofByte: invalidOffset(bytes), in: bytes)
    throw .notUTF8(file: path, line: position.line, column: position.column)
  }

  /// Reads at most one byte more than the limit of a scene file.
  private static func readBytes(_ path: String) throws(SystemCallError) -> [UInt8] {
    let number = try systemCall("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
    let file = FileDescriptor(owning: number)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while bytes.count <= SceneLimits.fileBytesMax {
      let wanted = min(chunk.count, SceneLimits.fileBytesMax + 1 - bytes.count)
      let count = try systemCall("read", path) {
        chunk.withUnsafeMutableBytes { Glibc.read(file.number, $0.baseAddress, wanted) }
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
