// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// The kernels of the instruction set that this module was compiled for.
///
/// The same sources are compiled once per instruction set, as modules of different names; nothing
/// but this function is visible to other modules.
package func makeKernelTable() -> kernel_table {
  kernel_table(
    marquee: { run(MarqueeKernel(phase: $1, step: $2, span: $3), $0) },
    tween: {
      run(TweenKernel(phase: $1, step: $2, base: $3, span: $4, curve: LinearCurve()), $0)
    },
    tween_table: {
      if $2 == 4 && KERNEL_REGISTER_ROWS_MAX >= 16 {
        let curve = RegisterCurve<RegisterRows16>($1)
        run(TweenKernel(phase: $3, step: $4, base: $5, span: $6, curve: curve), $0)
      } else if $2 == 5 && KERNEL_REGISTER_ROWS_MAX >= 32 {
        let curve = RegisterCurve<RegisterRows32>($1)
        run(TweenKernel(phase: $3, step: $4, base: $5, span: $6, curve: curve), $0)
      } else {
        let curve = TableCurve(table: $1, bits: $2)
        run(TweenKernel(phase: $3, step: $4, base: $5, span: $6, curve: curve), $0)
      }
    },
    tween_mixed: {
      let tween = TweenKernel(phase: $3, step: $4, base: $5, span: $6, curve: LinearCurve())
      run(MixedTweenKernel(tween: tween, tables: $1, entry: $2), $0)
    },
    tween_grid: {
      let tween = TweenKernel(phase: $3, step: $4, base: $5, span: $6, curve: LinearCurve())
      run(GridTweenKernel(tween: tween, tables: $1, entry: $2), $0)
    },
    spring: {
      let springs = SpringKernel(
        stiffness: $1, damping: $2, displacement: $3, change: $4, base: $5)
      if let restarted = $6 {
        let restarts = kernel_restarted_springs_group(restarted)
        run(
          springs, $0, except: { restarts[$0] != 0 },
          with: RestartedSpringKernel(springs: springs, restarted: restarted))
      } else {
        run(springs, $0)
      }
    },
    spring_restarts: { count, due, pulls, coefficients, tick, ticks, scratch in
      let springs = RestartingSprings(
        count: Int(count), due: due, pulls: pulls, coefficients: coefficients, tick: tick,
        scratch: scratch)
      return springs.restart(within: ticks)
    },
    spring_states: { computeSpringStates(count: $0, $1) },
    orbit: { tile, phase, step, radius, less, sine in
      let turn = OrbitTurn(less: less, sine: sine)
      if let x = kernel_previous(tile, 0), let y = kernel_previous(tile, 1) {
        run(OrbitTurnKernel(x: x, y: y, turn: turn), tile)
      } else {
        let skipped = tile.pointee.skipped
        run(
          OrbitKernel(phase: phase, step: step, radius: radius, turn: turn, skipped: skipped), tile)
      }
    },
    transition: {
      evaluateTransitions(
        count: $0, away: $1, coefficients: $2, stride: $3, own: $4, result: $5)
    },
    timer: {
      evaluateTimers(count: $0, timerTicks: $1, loopTicks: $2, start: $3, increment: $4, x: $5)
    },
    hash: { hashTile($0, fieldCount: $1) })
}
