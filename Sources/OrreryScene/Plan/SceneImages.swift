// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the images of a scene, which are files beside the scene file.
struct SceneImages {
  /// Folder of the files; nil is the current folder.
  let folder: String?

  /// Images read so far, in the order of the layout.
  private(set) var bytes: [Data] = []

  /// The names of the images' files, in the same order.
  private(set) var names: [String] = []

  private var indexes: [String: Int] = [:]

  /// Width or height of an image in pixels.
  private static let sideMax = 8_192

  /// Images by name, in place of files; nil: files are read.
  let given: [String: Data]?

  init(folder: String?, given: [String: Data]? = nil) {
    self.folder = folder
    self.given = given
  }

  /// Whether a name is a plain file name, without any path out of the folder.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 255 && !name.contains("/") && name != "." && name != ".."
      && !name.unicodeScalars.contains { $0.value == 0 }
  }

  /// The index of an image among the layout's images; reads it at first use.
  ///
  /// - Parameter name: A plain file name.
  /// - Returns: The index.
  /// - Throws: `TextFault` with `SceneFault.unavailable`: not readable; with `image`: too large or not
  ///   PNG.
  mutating func index(of name: String) throws(TextFault) -> Int {
    if let known = indexes[name] { return known }
    guard let data = data(of: name) else {
      throw TextFault(.unavailable("\(SceneChecker.shown(name)) cannot be read"))
    }
    guard data.count <= SceneLimits.imageBytesMax else {
      throw TextFault(.image("larger than \(SceneLimits.imageBytesMax) bytes"))
    }
    guard let (width, height) = Self.size(ofPNG: Array(data.prefix(24))) else {
      throw TextFault(.image("\(SceneChecker.shown(name)) is not a PNG file"))
    }
    let sides = 1...Self.sideMax
    guard sides.contains(width), sides.contains(height) else {
      throw TextFault(
        .image("\(width) by \(height) pixels; each side has 1...\(Self.sideMax) pixels"))
    }
    bytes.append(data)
    names.append(name)
    indexes[name] = bytes.count - 1
    return bytes.count - 1
  }

  private func data(of name: String) -> Data? {
    if let given { return given[name] }
    let handle = FileHandle(forReadingAtPath: folder.map { $0 + "/" + name } ?? name)
    return try? handle?.read(upToCount: SceneLimits.imageBytesMax + 1)
  }

  /// Width and height from a PNG file's head: the signature and the chunk IHDR.
  private static func size(ofPNG head: [UInt8]) -> (Int, Int)? {
    let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    guard head.count == 24, head.starts(with: signature), head[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(_ first: Int) -> Int { head[first..<first + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (number(16), number(20))
  }
}
