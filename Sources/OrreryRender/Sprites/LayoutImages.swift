// SPDX-License-Identifier: Apache-2.0

import CCairo
import Foundation

/// Why one of a layout's PNG files cannot be shown.
package enum ImageError: Error, Equatable, CustomStringConvertible {
  /// The file has too many bytes.
  case byteCount(Int, limit: Int)

  /// It lacks the start of a PNG file.
  case notPNG

  /// It has too many pixels, or a side above the limit of what can be drawn.
  case pictureSize(width: Int, height: Int, pixelMax: Int)

  /// It and the images before it have too many pixels together.
  case pixelsTogether(limit: Int)

  /// It ends too early or is inconsistent, or there is no memory.
  case damaged

  package var description: String {
    switch self {
    case .byteCount(let count, let limit): return "\(count) bytes, limit \(limit)"
    case .notPNG: return "not a PNG file"
    case .pictureSize(let width, let height, let limit):
      return "\(width)x\(height) pixels: each side must be from 1 to \(Canvas.sideMax), and "
        + "all pixels at most \(limit)"
    case .pixelsTogether(let limit):
      return "it and the images before it have more than \(limit) pixels"
    case .damaged: return "the PNG file is damaged"
    }
  }
}

/// The pixels of a PNG file.
final class PNGPicture {
  /// The C picture, valid for the lifetime of this object.
  let handle: OpaquePointer

  /// Pixels of a row, and rows.
  let (width, height): (Int, Int)

  /// Decodes a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - pixelsLeft: Pixels that it may have beside those of other files.
  /// - Throws: `ImageError`.
  init(_ bytes: [UInt8], pixelsLeft: Int = LayoutImages.pixelsTogetherMax) throws(ImageError) {
    guard bytes.count <= LayoutImages.byteMax else {
      throw .byteCount(bytes.count, limit: LayoutImages.byteMax)
    }
    guard let size = Self.size(bytes) else { throw .notPNG }
    let sides = 1...Canvas.sideMax
    guard sides.contains(size.width), sides.contains(size.height),
      size.width * size.height <= LayoutImages.pixelMax
    else {
      throw .pictureSize(
        width: size.width, height: size.height, pixelMax: LayoutImages.pixelMax)
    }
    guard size.width * size.height <= pixelsLeft else {
      throw .pixelsTogether(limit: LayoutImages.pixelsTogetherMax)
    }
    let handle = bytes.withUnsafeBytes { file in
      file.baseAddress.flatMap { png_picture_create($0, file.count) }
    }
    guard let handle else { throw .damaged }
    (self.handle, width, height) = (handle, size.width, size.height)
  }

  deinit { png_picture_destroy(handle) }

  /// The width and height in the first 24 bytes of a file; nil if it is not a PNG file.
  private static func size(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header: [UInt8] = [0, 0, 0, 13] + "IHDR".utf8
    guard bytes.count >= 24, bytes.starts(with: signature + header) else { return nil }
    func number(_ offset: Int) -> Int {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    return (number(16), number(20))
  }
}

/// A layout's PNG files; each is decoded once, at first use.
final class LayoutImages {
  /// Bytes of one file.
  static let byteMax = 1 << 25

  /// Pixels of one image: the count of a picture of 8192x4096.
  static let pixelMax = 1 << 25

  /// Pixels of all images: 256 MiB.
  static let pixelsTogetherMax = 1 << 26

  private let files: [Data]
  private var pictures: [Int: PNGPicture] = [:]
  private var pixelsLeft = LayoutImages.pixelsTogetherMax

  init(_ files: [Data]) { self.files = files }

  /// The pixels of a file.
  ///
  /// - Parameter index: The file's index in the layout.
  /// - Returns: The same picture each time.
  /// - Throws: `RenderError.image`.
  func picture(_ index: Int) throws(RenderError) -> PNGPicture {
    if let picture = pictures[index] { return picture }
    do {
      let picture = try PNGPicture([UInt8](files[index]), pixelsLeft: pixelsLeft)
      pixelsLeft -= picture.width * picture.height
      pictures[index] = picture
      return picture
    } catch {
      throw .image(index, error)
    }
  }
}
