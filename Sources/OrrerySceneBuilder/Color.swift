// SPDX-License-Identifier: Apache-2.0

/// A colour with opacity, eight bits each in sRGB.
public struct Color: Hashable, Sendable {
  /// 0xRRGGBBAA.
  public let rgba: UInt32

  /// Makes a colour from its bytes.
  ///
  /// - Parameter rgba: 0xRRGGBBAA.
  public init(rgba: UInt32) {
    self.rgba = rgba
  }

  /// Makes a colour from its components; those outside 0...1 are clamped, NaN counts as 0.
  ///
  /// - Parameters:
  ///   - red: 0...1.
  ///   - green: 0...1.
  ///   - blue: 0...1.
  ///   - opacity: 0 is invisible, 1 opaque.
  public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    rgba = [red, green, blue, opacity].reduce(0) { bytes, part in
      let clamped = part > 0 ? min(part, 1) : 0
      return bytes << 8 | UInt32((clamped * 255).rounded())
    }
  }

  /// Reads `#rrggbb`, `#rrggbbaa`, or the name of one of the colours below, such as `teal`; nil if
  /// `text` is none of them.
  public init?(_ text: String) {
    if let named = Self.named[text] {
      self = named
      return
    }
    let digits = text.dropFirst()
    guard text.hasPrefix("#"), digits.utf8.allSatisfy(Self.isHexadecimalDigit),
      let value = UInt32(digits, radix: 16)
    else { return nil }
    switch digits.utf8.count {
    case 6: rgba = value << 8 | 0xff
    case 8: rgba = value
    default: return nil
    }
  }

  /// The same colour with its opacity multiplied by a factor.
  ///
  /// - Parameter opacity: Factor in 0...1.
  /// - Returns: The colour.
  public func opacity(_ opacity: Double) -> Color {
    let own = Double(rgba & 0xff) / 255
    let clamped = opacity > 0 ? min(opacity, 1) : 0
    return Color(rgba: rgba & 0xffff_ff00 | UInt32((own * clamped * 255).rounded()))
  }

  private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}

extension Color {
  /// Black.
  public static let black = Color(rgba: 0x0000_00ff)
  /// White.
  public static let white = Color(rgba: 0xffff_ffff)
  /// Fully transparent.
  public static let clear = Color(rgba: 0)
  /// SwiftUI's gray; this colour and those below are SwiftUI's for a light background.
  public static let gray = Color(rgba: 0x8e8e_93ff)
  /// Red.
  public static let red = Color(rgba: 0xff3b_30ff)
  /// Orange.
  public static let orange = Color(rgba: 0xff95_00ff)
  /// Yellow.
  public static let yellow = Color(rgba: 0xffcc_00ff)
  /// Green.
  public static let green = Color(rgba: 0x34c7_59ff)
  /// Mint.
  public static let mint = Color(rgba: 0x00c7_beff)
  /// Teal.
  public static let teal = Color(rgba: 0x30b0_c7ff)
  /// Cyan.
  public static let cyan = Color(rgba: 0x32ad_e6ff)
  /// Blue.
  public static let blue = Color(rgba: 0x007a_ffff)
  /// Indigo.
  public static let indigo = Color(rgba: 0x5856_d6ff)
  /// Purple.
  public static let purple = Color(rgba: 0xaf52_deff)
  /// Pink.
  public static let pink = Color(rgba: 0xff2d_55ff)
  /// Brown.
  public static let brown = Color(rgba: 0xa284_5eff)

  /// The colours above by name.
  package static let named: [String: Color] = [
    "black": black, "white": white, "clear": clear, "gray": gray, "red": red, "orange": orange,
    "yellow": yellow, "green": green, "mint": mint, "teal": teal, "cyan": cyan, "blue": blue,
    "indigo": indigo, "purple": purple, "pink": pink, "brown": brown,
  ]
}
