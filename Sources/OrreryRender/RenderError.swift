// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryText

/// Why a scene cannot be drawn or a picture or video cannot be written.
package enum RenderError: ExitStatusError, Equatable, CustomStringConvertible {
  /// The picture has no pixels, or a side above the limit.
  case pictureSize(width: Int, height: Int, limit: Int)

  /// A side of the scene is not between a thousandth and ten million points.
  case sceneSize(width: Double, height: Double)

  /// A batch has more entities than can be drawn.
  case entityCount(batch: Int, count: Int, limit: Int)

  /// The count of values in a batch is neither 1 nor its count of entities.
  case valueCount(batch: Int, part: LayoutPart, found: Int, entities: Int)

  /// An entity's origin is not a finite number.
  case originNotFinite(batch: Int, entity: Int, part: LayoutPart, value: Float)

  /// An entity names a sprite that does not exist.
  case entitySprite(batch: Int, entity: Int, sprite: Int, count: Int)

  /// Two batches number an entity alike, so a parent with this number is ambiguous.
  case entityNumbers(batch: Int, other: Int, number: Int)

  /// An entity names a parent that does not exist.
  case parentMissing(batch: Int, entity: Int, parent: Int)

  /// An entity is its own ancestor.
  case parentCycle(batch: Int, entity: Int)

  /// An entity has more ancestors than can be drawn.
  case parentLevels(batch: Int, entity: Int, limit: Int)

  /// A fixture names a sprite that does not exist.
  case fixtureSprite(fixture: Int, sprite: Int, count: Int)

  /// A fixture's position is not a finite number.
  case fixtureNotFinite(fixture: Int, part: LayoutPart, value: Double)

  /// A number of a sprite is not finite, or is out of range.
  case spriteValue(sprite: Int, part: LayoutPart, value: Double)

  /// A number of a sprite's element is not finite, or is negative where it must not be.
  case elementValue(sprite: Int, element: Int, part: LayoutPart, value: Double)

  /// An element has no content that can be drawn.
  case elementEmpty(sprite: Int, element: Int)

  /// An element names an image that does not exist.
  case elementImage(sprite: Int, element: Int, image: Int, count: Int)

  /// A gradient has no colours, or too many.
  case colorCount(sprite: Int, element: Int, count: Int, limit: Int)

  /// An element would reach further from its origin than can be drawn.
  case elementTooFar(sprite: Int, element: Int, pixels: Double, limit: Double)

  /// A mask's text would reach further from its origin than can be drawn.
  case maskTooFar(sprite: Int, pixels: Double, limit: Double)

  /// More repetitions of a sprite overlap than can be drawn.
  case tileOverlap(sprite: Int, copies: Double, limit: Int)

  /// An element's text cannot be drawn.
  case text(sprite: Int, element: Int, TextError)

  /// A mask's text cannot be drawn.
  case maskText(sprite: Int, TextError)

  /// A line of text beside a picture cannot be drawn.
  case label(TextError)

  /// One of the layout's PNG files cannot be shown.
  case image(Int, ImageError)

  /// A file is no picture that can be read.
  case picture(path: String, ImageError)

  /// The pixels do not fit into memory.
  case outOfMemory(bytes: Int)

  /// A file could not be written.
  case file(SystemCallError)

  /// The file that is written lost its path; `to` is its path now.
  case moved(path: String, to: String)

  /// A video's path has none of the known extensions.
  case videoFormat(path: String, known: String)

  /// The encoder's program was not found.
  case encoderMissing(program: String)

  /// The encoder ended with this status (128 + n: killed by signal n) and this last message.
  case encoderFailed(status: Int, lastLine: String)

  /// The encoder took no bytes, or did not end, for this long.
  case encoderStalled(seconds: Double, lastLine: String)

  /// The frame rate is not a quotient of two numbers from 1 to 2147483647.
  case frameRate(numerator: UInt64, denominator: UInt64)

  package var description: String {
    switch self {
    case .pictureSize(let width, let height, let limit):
      return "picture of \(width)x\(height) pixels: each side must be from 1 to \(limit)"
    case .sceneSize(let width, let height):
      return "scene of \(width)x\(height) points: each side must be from 0.001 to 10000000"
    case .entityCount(let batch, let count, let limit):
      return "batch \(batch) has \(count) entities, limit \(limit)"
    case .valueCount(let batch, let part, let found, let entities):
      return "batch \(batch) has \(found) values of \(part) for \(entities) entities"
    case .originNotFinite(let batch, let entity, let part, let value):
      return "batch \(batch), entity \(entity): \(part) is \(value)"
    case .entitySprite(let batch, let entity, let sprite, let count):
      return "batch \(batch), entity \(entity): sprite \(sprite) of \(count)"
    case .entityNumbers(let batch, let other, let number):
      return "batches \(other) and \(batch) both have an entity of number \(number)"
    case .parentMissing(let batch, let entity, let parent):
      return "batch \(batch), entity \(entity): no entity \(parent), its parent"
    case .parentCycle(let batch, let entity):
      return "batch \(batch), entity \(entity) is its own ancestor"
    case .parentLevels(let batch, let entity, let limit):
      return "batch \(batch), entity \(entity) has more than \(limit) ancestors"
    case .fixtureSprite(let fixture, let sprite, let count):
      return "fixture \(fixture): sprite \(sprite) of \(count)"
    case .fixtureNotFinite(let fixture, let part, let value):
      return "fixture \(fixture): \(part) is \(value)"
    case .spriteValue(let sprite, let part, let value):
      return "sprite \(sprite): \(part) is \(value)"
    case .elementValue(let sprite, let element, let part, let value):
      return "sprite \(sprite), element \(element): \(part) is \(value)"
    case .elementEmpty(let sprite, let element):
      return "sprite \(sprite), element \(element) shows nothing that is known"
    case .elementImage(let sprite, let element, let image, let count):
      return "sprite \(sprite), element \(element): image \(image) of \(count)"
    case .colorCount(let sprite, let element, let count, let limit):
      return "sprite \(sprite), element \(element): \(count) colours, must be from 1 to \(limit)"
    case .elementTooFar(let sprite, let element, let pixels, let limit):
      return "sprite \(sprite), element \(element) reaches \(pixels) pixels, limit \(limit)"
    case .maskTooFar(let sprite, let pixels, let limit):
      return "sprite \(sprite): its mask reaches \(pixels) pixels, limit \(limit)"
    case .tileOverlap(let sprite, let copies, let limit):
      return "sprite \(sprite): \(copies) repetitions overlap, limit \(limit)"
    case .text(let sprite, let element, let error):
      return "sprite \(sprite), element \(element): \(error)"
    case .maskText(let sprite, let error):
      return "sprite \(sprite), mask: \(error)"
    case .label(let error):
      return "a text beside a picture: \(error)"
    case .image(let index, let error):
      return "image \(index): \(error)"
    case .picture(let path, let error):
      return "\(path): \(error)"
    case .outOfMemory(let bytes):
      return "no memory for \(bytes) bytes of pixels" + MemoryLimit.note
    case .file(let error):
      return error.description
    case .moved(let path, let to):
      return FileIdentity.text(lost: path, to: to)
    case .videoFormat(let path, let known):
      return "\(path): a video's name ends in one of \(known)"
    case .encoderMissing(let program):
      return "\(program) is not installed or not on PATH"
    case .encoderFailed(let status, let lastLine):
      return "video encoder ended with status \(status): \(lastLine)"
    case .encoderStalled(let seconds, let lastLine):
      return "video encoder did nothing for \(seconds) s: \(lastLine)"
    case .frameRate(let numerator, let denominator):
      return "frame rate \(numerator)/\(denominator): each must be from 1 to 2147483647"
    }
  }
}

extension RenderError {
  package var exitStatus: ExitStatus {
    switch self {
    case .file(let cause) where cause.isShortage: .resource
    case .file, .moved, .encoderFailed, .encoderStalled: .inputOutput
    case .pictureSize, .frameRate, .videoFormat: .usage
    case .encoderMissing: .unavailable
    case .outOfMemory: .resource
    case .text(_, _, let cause) where cause.isOfMachine,
      .maskText(_, let cause) where cause.isOfMachine, .label(let cause) where cause.isOfMachine:
      .unavailable
    default: .badData
    }
  }
}

/// The field of a layout that an error reports.
package enum LayoutPart: String, Equatable, CustomStringConvertible {
  case originX = "origin_x"
  case originY = "origin_y"
  case sprites
  case parents
  case positionX = "x"
  case positionY = "y"
  case width
  case height
  case radius
  case cornerRadius = "corner_radius"
  case angle
  case tilePeriod = "tile_period"
  case tilePeriodY = "tile_period_y"
  case clipX = "clip.x"
  case clipY = "clip.y"
  case clipWidth = "clip.width"
  case clipHeight = "clip.height"
  case maskX = "mask.x"
  case maskY = "mask.y"
  case maskWidth = "mask.text.width"
  case maskHeight = "mask.text.height"

  package var description: String { rawValue }
}
