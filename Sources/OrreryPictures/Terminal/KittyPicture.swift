// SPDX-License-Identifier: Apache-2.0

/// A picture by kitty's graphics protocol: a PNG file in pieces of base64.
package enum KittyPicture {
  /// Bytes of base64 in a piece, at most.
  private static let pieceMax = 4096

  /// Removes all pictures from the screen.
  static let removal = "\u{1b}_Ga=d,d=A,q=2\u{1b}\\"

  /// Asks whether the terminal knows the protocol.
  static let question = "\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\"

  /// Appends a picture, which the terminal shows from the cursor on, in place of the one before.
  package static func write(png: [UInt8], into output: inout [UInt8]) {
    let text = base64(png)
    var start = 0
    while start < text.count {
      let end = min(start + pieceMax, text.count)
      output.add("\u{1b}_G")
      if start == 0 { output.add("a=T,f=100,i=1,p=1,q=2,C=1,") }
      output.add(end < text.count ? "m=1;" : "m=0;")
      output.append(contentsOf: text[start..<end])
      output.add("\u{1b}\\")
      start = end
    }
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      let word = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
      for index in 0..<4 {
        text.append(index <= count ? digits[word >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
