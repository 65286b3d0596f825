// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryDocument
import OrreryMessages
import OrrerySceneBuilder

/// Texts filled with a flowing picture, and clocks.
extension ScenePlanner {
  mutating func add(_ text: FlowText, at path: DocumentPath) {
    do throws(TextFault) {
      let size = try texts.size(text.content, font: text.font)
      let below = SpriteMaker.text(
        Text(text.content).font(text.font).foregroundColor(text.color), size: size)
      let position = mirror.point(text.position ?? middle)
      var sprite = Orrery_Sprite()
      if Self.hasPictures(text.content) {
        sprites.append(below)
        addFixture(x: position.x, y: position.y)
      } else if text.color != .clear {
        sprite.elements = [Self.ground(text, size: size)]
      }
      sprite.elements.append(try fill(text, size: size, at: path))
      sprite.mask.x = -size.width / 2
      sprite.mask.y = -size.height / 2
      sprite.mask.text = below.elements[0].text
      // Only the opacity of the mask's colour matters.
      sprite.mask.text.color = Color.black.rgba
      let isSideways = text.direction == .left || text.direction == .right
      let length = isSideways ? size.width : size.height
      if text.variant != .oneCopy {
        if isSideways { sprite.tilePeriod = length } else { sprite.tilePeriodY = length }
      }
      sprites.append(sprite)
      let steps = text.variant == .seamless ? Self.flowSteps : Self.addedSteps(length)
      let spec = FlowSpec(
        period: length * Double(steps) / Double(Self.flowSteps),
        speed: (text.speed ?? length / Double(Self.flowSteps)) + 0,
        direction: FlowSpec.Direction(text.direction), start: text.start + 0)
      let property: ViewProperty = isSideways ? .x : .y
      batches.collector(BatchPlan.flow, property).add(
        spec, x: position.x, y: position.y, sprite: sprites.count - 1)
    } catch {
      faults.add(path.key("text"), error.fault)
    }
  }

  /// The text below the picture: its colour behind the picture, inside the same mask.
  ///
  /// If the text were drawn by itself and the picture over it, both would cover a part of each pixel at a
  /// glyph's edge, one after the other, and the text's colour would show around the picture.
  ///
  /// The ground moves with the picture and is wide enough to stay behind all glyphs. A glyph may reach beyond
  /// its line's box, in usual fonts by less than half a line.
  private static func ground(_ text: FlowText, size: MeasuredText) -> Orrery_Element {
    let margin = size.height / 2
    var box = CGRect(
      x: -size.width / 2, y: -size.height / 2, width: size.width, height: size.height)
    let isSideways = text.direction == .left || text.direction == .right
    if text.variant != .oneCopy {
      box = isSideways ? box.insetBy(dx: 0, dy: -margin) : box.insetBy(dx: -margin, dy: 0)
    } else {
      // The one copy moves by its own length at most.
      let (dx, dy) = isSideways ? (size.width, 0) : (0, size.height)
      let (x, y) = text.direction == .right || text.direction == .down ? (-dx, -dy) : (0, 0)
      box = CGRect(
        x: box.minX + x, y: box.minY + y, width: box.width + dx, height: box.height + dy
      ).insetBy(dx: -margin, dy: -margin)
    }
    return SpriteMaker.element(at: box) { element in
      element.box.width = box.width
      element.box.height = box.height
      element.box.color = text.color.rgba
    }
  }

  /// Whether a text has glyphs with colours of their own; a mask has only their outlines.
  private static func hasPictures(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }
  }

  /// Steps in one loop of the article's picture: it moves a tenth of the text's length each second.
  private static var flowSteps: Int { 10 }

  /// Steps of a tenth, added up until the next one would pass the end: 10, or 9 if the rounded sum of ten is
  /// slightly above the whole.
  static func addedSteps(_ length: Double) -> Int {
    var (offset, steps) = (0.0, 0)
    while steps < flowSteps, offset + length / 10 <= length {
      offset += length / 10
      steps += 1
    }
    return max(steps, 1)
  }

  private mutating func fill(
    _ text: FlowText, size: MeasuredText, at path: DocumentPath
  ) throws(TextFault) -> Orrery_Element {
    let box = CGRect(
      x: -size.width / 2, y: -size.height / 2, width: size.width, height: size.height)
    switch text.fill {
    case .gradient(let colors, let angle):
      var gradient = Orrery_Gradient()
      gradient.width = size.width
      gradient.height = size.height
      gradient.colors = colors.map(\.rgba)
      let isSideways = text.direction == .left || text.direction == .right
      gradient.angle = (angle ?? (isSideways ? 0 : .pi / 2)) + 0
      return SpriteMaker.element(at: box) { $0.gradient = gradient }
    case .image(let name):
      do throws(TextFault) {
        var image = Orrery_Image()
        image.image = UInt32(try images.index(of: name))
        image.width = size.width
        image.height = size.height
        return SpriteMaker.element(at: box) { $0.image = image }
      } catch {
        faults.add(path.key("image"), error.fault)
        return Orrery_Element()
      }
    }
  }

  // MARK: Clocks

  mutating func add(_ clock: TimelineClock, at path: DocumentPath) {
    guard let format = ClockFormat(clock.format) else { return }
    do throws(TextFault) {
      let digitSize = try largest((0..<10).map { "\($0)" }, clock.font)
      var widths: [Double] = []
      for part in format.parts {
        switch part {
        case .digits(let digits): widths.append(digitSize.width * Double(digits.width))
        case .mark(let mark):
          // Some text measurers give a single space no width.
          widths.append(
            mark == " " ? digitSize.width / 2 : try texts.size(mark, font: clock.font).width)
        }
      }
      // Digits run from left to right in every language.
      let position = mirror.point(clock.position ?? middle)
      var x = position.x - widths.reduce(0, +) / 2
      for (part, width) in zip(format.parts, widths) {
        switch part {
        case .digits(let digits):
          try add(digits, of: clock, x: x, y: position.y, width: width, height: digitSize.height)
        case .mark(" "): break
        case .mark(let mark):
          var text = Text(mark).font(clock.font).foregroundColor(clock.color)
          text.alignment = .leading
          sprites.append(SpriteMaker.text(text, size: try texts.size(mark, font: clock.font)))
          addClock(Self.mark, height: digitSize.height, x: x, y: position.y, clock)
        }
        x += width
      }
    } catch {
      faults.add(path.key("format"), error.fault)
    }
  }

  /// Adds one window and the strip of digits behind it.
  private mutating func add(
    _ digits: ClockFormat.Digits, of clock: TimelineClock, x: Double, y: Double, width: Double,
    height: Double
  ) throws(TextFault) {
    var sprite = Orrery_Sprite()
    for value in 0..<digits.base {
      var digit = "\(value)"
      if digit.count < digits.width { digit = "0" + digit }
      let size = try texts.size(digit, font: clock.font)
      var text = Orrery_Text()
      text.text = digit
      text.font = FontDescription.text(clock.font)
      text.color = clock.color.rgba
      var element = Orrery_Element()
      element.x = (width - size.width) / 2
      element.y = Double(value) * height
      element.text = text
      sprite.elements.append(element)
    }
    sprite.clip.width = width
    sprite.clip.height = height
    sprites.append(sprite)
    addClock(digits, height: height, x: x, y: y - height / 2, clock)
  }

  /// Adds an entity that shows the last sprite.
  private mutating func addClock(
    _ digits: ClockFormat.Digits, height: Double, x: Double, y: Double, _ clock: TimelineClock
  ) {
    let spec = ClockSpec(
      schedule: ClockSchedule(clock.schedule, timeZone: scene.timeZone), start: start,
      zero: midnight, unit: digits.unit, base: digits.base, digitHeight: height)
    batches.collector(BatchPlan.clock).add(spec, x: x, y: y, sprite: sprites.count - 1)
  }

  /// A mark is a digit that is always 0, so that it is in the same batch.
  private static var mark: ClockFormat.Digits { ClockFormat.Digits(unit: 1, base: 1, width: 1) }

  private mutating func largest(_ list: [String], _ font: Font) throws(TextFault) -> MeasuredText {
    var (width, height) = (0.0, 0.0)
    for text in list {
      let size = try texts.size(text, font: font)
      (width, height) = (max(width, size.width), max(height, size.height))
    }
    return MeasuredText(width: width, height: height)
  }

  /// The date of time 0.
  private var start: Date { Date(timeIntervalSince1970: scene.dateSeconds + 0) }

  /// Midnight before time 0, by the time zone's offset at time 0.
  ///
  /// Clocks show the time since then, so they ignore a change of the offset during a run.
  private var midnight: Date {
    let offset = TimeZone(identifier: scene.timeZone)?.secondsFromGMT(for: start) ?? 0
    let local = scene.dateSeconds + Double(offset)
    let day = (local / 86_400).rounded(.down) * 86_400
    return Date(timeIntervalSince1970: day - Double(offset))
  }
}

extension ClockSchedule {
  /// A clock's schedule, with the scene's time zone.
  init(_ schedule: TimelineClock.Schedule, timeZone: String) {
    switch schedule {
    case .periodic(let from, let by): self = .periodic(from: from + 0, by: by)
    case .everyMinute: self = .everyMinute(timeZone: timeZone)
    case .explicit(let times): self = .explicit(times)
    case .animation(let interval, let paused):
      self = .animation(minimumInterval: interval, paused: paused)
    }
  }
}

extension FlowSpec.Direction {
  /// From the library's direction.
  init(_ direction: FlowText.Direction) {
    switch direction {
    case .left: self = .left
    case .right: self = .right
    case .up: self = .up
    case .down: self = .down
    }
  }
}
