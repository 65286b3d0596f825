// SPDX-License-Identifier: Apache-2.0

import OrrerySim
import TestSupport
import Testing

/// Goal: the index that was freed last is used first, whether or not neighbours were freed together.
///
/// Method: random frees in rising, falling and mixed order, and uses, beside an array.
@Suite struct FreeIndexesTests {
  @Test(arguments: Array(UInt64(1)...8))
  func lastOneFreedIsUsedFirst(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var (free, oracle) = (FreeIndexes(), [Int32]())
    for _ in 0..<300 {
      let (count, first) = (Int32(random.next() % 9), Int32(random.next() % 1000))
      let step = [1, -1, 0, 2][Int(random.next() % 4)]
      for place in 0..<count {
        let index = first &+ place &* Int32(step)
        free.push(index)
        oracle.append(index)
      }
      for _ in 0..<random.next() % 10 { #expect(free.pop() == oracle.popLast(), "seed \(seed)") }
    }
    while let index = oracle.popLast() { #expect(free.pop() == index) }
    #expect(free.pop() == nil)
  }
}
