// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import Testing

/// Checksums are CRC-32, however the bytes come.
@Suite struct ChecksumTests {
  private static func checksum(_ bytes: some Sequence<UInt8>) -> Checksum {
    Array(bytes).withUnsafeBytes { Checksum($0) }
  }

  @Test func checkValueOfTheStandard() {
    #expect(Self.checksum("123456789".utf8).value == 0xCBF4_3926)
    #expect(Self.checksum([]).value == 0)
  }

  @Test(arguments: [0, 1, 2, 7, 8, 255, 256, 1_000, 65_537, 1_000_003])
  func appendedChecksumEqualsThatOfTheWhole(count: Int) {
    let bytes = noise(count + 100, seed: 1)
    for split in [0, 1, 50, 100] {
      var joined = Self.checksum(bytes[..<split])
      joined.append(Self.checksum(bytes[split...]), byteCount: bytes.count - split)
      #expect(joined == Self.checksum(bytes), "split at \(split)")
    }
  }

  /// Bytes that come in pieces, empty ones among them, without a base or with one.
  @Test func piecesAreAddedUp() {
    let bytes = noise(1_000, seed: 4)
    var sum = Checksum()
    for start in stride(from: 0, to: bytes.count, by: 100) {
      sum.update(UnsafeRawBufferPointer(start: nil, count: 0))
      bytes[start..<start + 100].withUnsafeBytes { piece in
        sum.update(UnsafeRawBufferPointer(rebasing: piece[..<0]))
        sum.update(piece)
      }
    }
    #expect(sum == Self.checksum(bytes))
    #expect(sum.value == Handmade.checksum(bytes))
  }

  @Test func negativeCountTraps() async {
    await #expect(processExitsWith: .failure) {
      var sum = Checksum()
      sum.append(Checksum(), byteCount: -1)
    }
  }
}
