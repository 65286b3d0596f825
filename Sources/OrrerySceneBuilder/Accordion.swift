// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Rows one below the other; at most one is open and shows a planet with its moons.
///
/// A tap on a row is `CommandAction.toggle` with the row's name. It opens the row and closes the
/// open one; a tap on the open row closes it. The panel of the open row moves the rows below it
/// down.
public struct Accordion: Hashable, Sendable {
  /// The rows from the top; 1...1000.
  public var rows: [AccordionRow]

  /// Width of headers and panels in points, 1...100000.
  public var width = 480.0

  /// Height of a header in points, 1...100000.
  public var rowHeight = 56.0

  /// Height of a panel in points, 1...100000.
  public var panelHeight = 240.0

  /// Points below each header and each open panel, 0...10000.
  public var spacing = 8.0

  /// Position of the middle of the first header's top edge; nil is the middle of the scene's width,
  /// 30 points from the top.
  public var position: CGPoint?

  /// Transition of the panels.
  public var transition = Accordion.defaultTransition

  /// Animation of taps whose command has none.
  public var animation = Animation.easeInOut

  /// Font of the titles.
  public var font = Font.headline

  /// Colour of the titles.
  public var color = Color.black

  /// Colour of the headers.
  public var headerColor = Color(rgba: 0xe5e5_eaff)

  /// Colour of the panels.
  public var panelColor = Color(rgba: 0xf2f2_f7ff)

  /// Colour of moons that have none of their own.
  public var moonColor = Color.gray

  /// Seconds per turn, drawn at random for moons that have no duration of their own.
  public var duration = ValueRange(10...100)

  /// The panel comes from above, grows out of its upper trailing corner and fades in; it goes upward
  /// and fades out.
  public static let defaultTransition: AnyTransition = {
    let insertion = AnyTransition.move(edge: .top)
      .combined(with: .scale(scale: 0.2, anchor: .topTrailing))
      .combined(with: .opacity)
    let removal = AnyTransition.move(edge: .top).combined(with: .opacity)
    return .asymmetric(insertion: insertion, removal: removal)
  }()

  /// Makes an accordion.
  ///
  /// - Parameter rows: From the top.
  public init(_ rows: AccordionRow...) {
    self.rows = rows
  }

  /// Makes an accordion from an array of rows.
  ///
  /// - Parameter rows: From the top.
  public init(rows: [AccordionRow]) {
    self.rows = rows
  }

  /// Sets the position of the middle of the first header's top edge, in points of the scene.
  public func position(x: Double, y: Double) -> Accordion {
    with { $0.position = CGPoint(x: x, y: y) }
  }

  /// Sets the sizes of headers and panels, in points.
  public func frame(
    width: Double = 480, rowHeight: Double = 56, panelHeight: Double = 240, spacing: Double = 8
  ) -> Accordion {
    with {
      ($0.width, $0.rowHeight) = (width, rowHeight)
      ($0.panelHeight, $0.spacing) = (panelHeight, spacing)
    }
  }

  /// Sets the transition of the panels.
  public func transition(_ transition: AnyTransition) -> Accordion {
    with { $0.transition = transition }
  }

  /// Sets the animation of taps whose command has no animation.
  public func animation(_ animation: Animation) -> Accordion {
    with { $0.animation = animation }
  }

  /// Sets the font of the titles.
  public func font(_ font: Font) -> Accordion {
    with { $0.font = font }
  }

  /// Sets the colour of the titles.
  public func foregroundColor(_ color: Color) -> Accordion {
    with { $0.color = color }
  }

  /// Sets the colours of headers and panels.
  public func background(header: Color, panel: Color) -> Accordion {
    with { ($0.headerColor, $0.panelColor) = (header, panel) }
  }

  private func with(_ change: (inout Accordion) -> Void) -> Accordion {
    var accordion = self
    change(&accordion)
    return accordion
  }
}

/// One row of an `Accordion`.
public struct AccordionRow: Hashable, Sendable {
  /// Its name in commands; 1...100 bytes of UTF-8, unique in a scene.
  public var name: String

  /// Title of its header; nil is its name.
  public var title: String?

  /// Colour of its planet.
  public var color: Color

  /// The moons of its planet, from the innermost.
  public var moons: OrbitSystem.Moons

  /// Makes a row.
  ///
  /// - Parameters:
  ///   - name: Its name in commands.
  ///   - title: Title of its header; nil is its name.
  ///   - color: Colour of its planet.
  ///   - moons: Number of its planet's moons, 0...10000.
  public init(_ name: String, title: String? = nil, color: Color = .blue, moons: Int = 0) {
    self.init(name, title: title, color: color, moons: .count(moons))
  }

  /// Makes a row whose moons are set one by one.
  ///
  /// - Parameters:
  ///   - name: Its name in commands.
  ///   - title: Title of its header; nil is its name.
  ///   - color: Colour of its planet.
  ///   - moons: From the innermost; 0...10000.
  public init(_ name: String, title: String? = nil, color: Color = .blue, moons: [Moon]) {
    self.init(name, title: title, color: color, moons: .list(moons))
  }

  package init(_ name: String, title: String?, color: Color, moons: OrbitSystem.Moons) {
    self.name = name
    self.title = title
    self.color = color
    self.moons = moons
  }
}
