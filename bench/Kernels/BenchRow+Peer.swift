// SPDX-License-Identifier: Apache-2.0

extension BenchRow {
  /// Creates a row of a peer on a task, in memory of its own.
  package convenience init(_ variant: PeerVariant, _ task: KernelTask) {
    let work = variant.make(task)
    let memory = FrameMemory(
      bytes: [Int](repeating: task.count * 4, count: task.kind.fieldCount), destinations: 1)
    let pointers = memory.floats(destination: 0)
    self.init(
      .peer, name: variant.name, family: variant.family, count: task.count,
      traffic: variant.traffic, ticksPerCall: variant.ticks
    ) {
      withExtendedLifetime(memory) {
        pointers.withUnsafeBufferPointer { pointers in
          if let columns = pointers.baseAddress { work.tick(columns) }
        }
      }
    }
    operations = variant.operations
    drifts = variant.drifts
  }
}
