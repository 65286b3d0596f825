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
      placeTweens(count: $0, elapsed: $1, phase: $2, step: $3, base: $4, span: $5, x: $6)
    },
    tween_table: {
      placeTableTweens(
        count: $0, elapsed: $1, table: $2, bits: $3, phase: $4, step: $5, base: $6, span: $7, x: $8)
    },
    tween_mixed: {
      placeMixedTweens(
        count: $0, elapsed: $1, tables: $2, entry: $3, phase: $4, step: $5, base: $6, span: $7,
        x: $8)
    },
    spring: {
      placeSprings(
        count: $0, ticks: $1, xx: $2, xv: $3, vx: $4, vv: $5, displacement: $6, velocity: $7,
        base: $8, x: $9)
    },
    transition: {
      placeTransitions(
        count: $0, away: $1, coefficients: $2, stride: $3, own: $4, result: $5)
    },
    timer: {
      placeTimers(count: $0, timerTicks: $1, loopTicks: $2, start: $3, increment: $4, x: $5)
    },
    orbit: { placeOrbits(count: $0, elapsed: $1, phase: $2, step: $3, radius: $4, x: $5, y: $6) },
    hash: { hashColumn(count: $0, values: $1, firstEntity: $2, fieldKey: $3) })
}
