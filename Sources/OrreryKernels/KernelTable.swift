// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// The kernels of the instruction set that this module was compiled for.
///
/// The same sources are compiled once per instruction set, as modules of different names; nothing
/// but this function is visible to other modules.
package func makeKernelTable() -> kernel_table {
  kernel_table(
    marquee: { placeMarquees(count: $0, elapsed: $1, phase: $2, step: $3, span: $4, x: $5) },
    tween: {
      placeTweens(count: $0, elapsed: $1, phase: $2, step: $3, from: $4, span: $5, x: $6)
    },
    timer: {
      placeTimers(count: $0, timerTicks: $1, loopTicks: $2, start: $3, increment: $4, x: $5)
    },
    orbit: { placeOrbits(count: $0, elapsed: $1, phase: $2, step: $3, radius: $4, x: $5, y: $6) },
    hash: { hashColumn(count: $0, values: $1, firstEntity: $2, fieldKey: $3) })
}
