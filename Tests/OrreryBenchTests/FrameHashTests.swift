// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import OrreryFrame
import OrreryScene
import OrrerySim
import Testing

/// The state hash that subscribers of the bench work out again is the world's.
///
/// Method: the columns of worlds of odd and even numbers of entities, hashed by both.
@Suite struct FrameHashTests {
  @Test(arguments: [1, 2, 9, 1000]) func hashOfColumnsIsTheWorlds(count: Int) throws {
    let plan = try ScenePlan(
      SceneSource.load(nameOrPath: "stress"), options: ScenePlanOptions(entities: count),
      text: InstalledFonts())
    let world = try World(plan, instructionSet: .baseline, threadCount: 1)
    let memory = FrameMemory(bytes: world.columns.map { $0.count * 4 }, destinations: 1)
    for tick in [UInt64(1), 500] {
      let expected = world.evaluate(tick: tick) { memory.columns[$0] }
      var hash: UInt64 = 0
      for (index, column) in world.columns.enumerated() {
        let values = UnsafeBufferPointer(
          start: memory.columns[index].assumingMemoryBound(to: Float.self), count: column.count)
        hash &+= FrameHash.hash(
          of: values, firstEntity: UInt32(column.firstEntity),
          key: World.hashKey(field: column.field.fieldNumber))
      }
      #expect(hash == expected, "tick \(tick)")
    }
  }

  @Test func otherValuesPlacesAndFieldsHaveOtherHashes() {
    func hash(_ values: [Float], first: UInt32 = 0, key: UInt32 = 1) -> UInt64 {
      values.withUnsafeBufferPointer { FrameHash.hash(of: $0, firstEntity: first, key: key) }
    }
    let hashes = [
      hash([1, 2, 3]), hash([2, 1, 3]), hash([1, 2, 4]), hash([1, 2, 3], first: 1),
      hash([1, 2, 3], key: 2), hash([1, 2]), hash([]),
    ]
    #expect(Set(hashes).count == hashes.count)
    #expect(hash([]) == 0)
    #expect(hash([1, 2, 3]) == hash([1, 2, 3, 0]), "what is missing of a pair is zero")
  }

  /// Each column counts with its field and its first entity's number; no column comes to 0.
  @Test func hashOfAFrameIsTheSumOverItsColumns() throws {
    let (x, blur): (UInt32, UInt32) = (1, 6)
    let layout = try FrameLayout(columns: [
      ColumnDescription(batch: 0, field: x, firstEntity: 0, valueCount: 3),
      ColumnDescription(batch: 1, field: blur, firstEntity: 7, valueCount: 4),
    ])
    let frame = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(layout.frameBytes), alignment: 64)
    defer { frame.deallocate() }
    frame.initializeMemory(as: UInt8.self, repeating: 0)
    let values: [[Float]] = [[1, -2, 3.5], [4, 5, 6, 7]]
    for (column, values) in zip(layout.columns, values) {
      for (index, value) in values.enumerated() {
        frame.storeBytes(
          of: value, toByteOffset: Int(column.valuesOffset) + 4 * index, as: Float.self)
      }
    }
    func hash(_ values: [Float], first: UInt32, _ field: UInt32) -> UInt64 {
      values.withUnsafeBufferPointer {
        FrameHash.hash(of: $0, firstEntity: first, key: World.hashKey(field: field))
      }
    }
    let view = FrameView(sequence: 1, bytes: UnsafeRawBufferPointer(frame))
    let sum = hash(values[0], first: 0, x) &+ hash(values[1], first: 7, blur)
    #expect(FrameHash(layout).hash(of: view) == sum)
    let nothing = try FrameLayout(columns: [])
    #expect(FrameHash(nothing).hash(of: view) == 0)
  }
}
