// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// The springs of a block, some of which restart in the next ticks.
///
/// First the springs that are due are listed by their lanes: 64 bytes of ticks are compared at once. Then
/// their restarts are computed, eight springs at a time, from two rows of 32 bytes for each. So memory is
/// read in order, and a restart has no branch of its own. docs/explained/kernels.md has the formulas.
struct RestartingSprings {
  let count: Int
  /// The tick of each spring's next restart, modulo 256.
  let due: UnsafeMutablePointer<UInt8>
  let pulls: UnsafePointer<kernel_spring_pull>
  let coefficients: UnsafePointer<kernel_spring_coefficients>
  /// The tick before the first step.
  let tick: UInt64
  let scratch: UnsafeMutablePointer<kernel_spring_scratch>

  /// Computes the restarts within a number of ticks, 1 or more, and puts them into the scratch memory.
  ///
  /// If a spring would restart a second time, the ticks end before; later restarts are dropped. Never inlined:
  /// in the table's own object the compiler would call what it inlines here.
  @inline(never)
  func restart(within ticks: UInt32) -> kernel_spring_restarts {
    let dueCount = listDue(ticks)
    if dueCount == 0 { return kernel_spring_restarts(ticks: ticks, count: 0) }
    let ticks = min(ticks, compute(dueCount) &- 1)
    computeSpringStates(count: UInt32(truncatingIfNeeded: dueCount), kernel_states(scratch))
    return kernel_spring_restarts(ticks: ticks, count: spread(dueCount, within: ticks))
  }
}

// MARK: - Listing

extension RestartingSprings {
  /// Lists the springs that restart within a number of ticks, with their steps and coefficients.
  ///
  /// - Returns: Their count. The list is padded with copies of the last one to a multiple of eight.
  private func listDue(_ ticks: UInt32) -> Int {
    let list = kernel_due(scratch)
    let lanes = kernel_due_springs_lane(list)
    let first = UInt8(truncatingIfNeeded: tick &+ 1)
    let span = UInt8(truncatingIfNeeded: ticks &- 1)
    var dueCount = 0
    let dueLanes = Int(KERNEL_DUE_LANES)
    for word in 0..<((count &+ dueLanes &- 1) / dueLanes) {
      let lane = word &* dueLanes
      var mask = kernel_bytes_within(due + lane, first, span)
      let left = count &- lane
      if left < dueLanes { mask &= 1 &<< UInt64(truncatingIfNeeded: left) &- 1 }
      dueCount = append(mask, lane, lanes, dueCount)
    }
    if dueCount == 0 { return 0 }
    for index in dueCount..<(dueCount &+ 7) { lanes[index] = lanes[dueCount &- 1] }
    let (steps, indexes) = (kernel_due_springs_step(list), kernel_due_springs_coefficients(list))
    for index in 0..<dueCount { kernel_prefetch(pulls + Int(lanes[index])) }
    for index in 0..<((dueCount &+ 7) & ~7) {
      let lane = Int(lanes[index])
      steps[index] = UInt16(due[lane] &- first) &+ 1
      indexes[index] = pulls[lane].coefficients
      kernel_prefetch(coefficients + Int(indexes[index]))
    }
    return dueCount
  }

  /// Appends the lanes of a mask's bits.
  ///
  /// Always four at a time, even if there are fewer: few masks have more, so the branch is predicted.
  @inline(__always)
  private func append(
    _ mask: UInt64, _ lane: Int, _ lanes: UnsafeMutablePointer<UInt32>, _ dueCount: Int
  ) -> Int {
    var (mask, index) = (mask, dueCount)
    let end = dueCount &+ mask.nonzeroBitCount
    repeat {
      for offset in 0..<4 {
        lanes[index &+ offset] = UInt32(truncatingIfNeeded: lane &+ mask.trailingZeroBitCount)
        mask &= mask &- 1
      }
      index &+= 4
    } while index < end
    return end
  }
}

// MARK: - Computing

extension RestartingSprings {
  /// Computes the inputs of the listed springs' states, their new bases and their next restarts.
  ///
  /// - Returns: The earliest step at which one of them restarts again.
  private func compute(_ dueCount: Int) -> UInt32 {
    let (list, states) = (kernel_due(scratch), kernel_states(scratch))
    let (lanes, indexes) = (kernel_due_springs_lane(list), kernel_due_springs_coefficients(list))
    let (steps, nexts) = (kernel_due_springs_step(list), kernel_due_springs_next(list))
    let ticks = wides(kernel_spring_states_ticks(states))
    let distances = halves(kernel_spring_states_displacement(states))
    let bases = halves(kernel_due_springs_base(list))
    var earliest = WideWords(repeating: 2 * UInt64(KERNEL_SPRING_WINDOW))
    for i in 0..<((dueCount &+ 7) / 8) {
      let pull = WideRows(pulls, lanes + i &* 8)
      let step = kernel_load_wide(steps + i &* 8)
      let timing = Timing(origin: pull.a, step: pull.b, tick: step &+ tick)
      ticks[i] = timing.ticks
      let window = pull.d &>> 32
      kernel_store_wide(nexts + i &* 8, timing.next(window))
      if kernel_wide_any(timing.isOdd) != 0 { correct(i &* 8) }
      let second = step &+ kernel_load_wide(nexts + i &* 8)
      earliest = kernel_wide_word_choice(second &- earliest, earliest, second)
      // The upper half is the end to which the spring is pulled, the lower half the one from which it comes.
      let ends = kernel_wide_word_choice(
        timing.phase, pull.c, pull.c &>> 32 | pull.c &<< 32)
      let (away, target) = (kernel_low_floats(ends), kernel_low_floats(ends &>> 32))
      distances[i] = kernel_narrow(kernel_wide(away) - kernel_wide(target))
      bases[i] = target
      store(WideRows(coefficients, indexes + i &* 8), i)
    }
    return UInt32(truncatingIfNeeded: earliest.min())
  }

  /// Stores eight springs' coefficients as columns of the states to compute.
  @inline(__always)
  private func store(_ rows: WideRows, _ i: Int) {
    let states = kernel_states(scratch)
    wides(kernel_spring_states_turn(states))[i] = unsafeBitCast(rows.a, to: Wide.self)
    halves(kernel_spring_states_decay(states))[i] = kernel_low_floats(rows.b)
    halves(kernel_spring_states_lag(states))[i] = kernel_low_floats(rows.b &>> 32)
    halves(kernel_spring_states_drop(states))[i] = kernel_low_floats(rows.c)
    halves(kernel_spring_states_pull(states))[i] = kernel_low_floats(rows.c &>> 32)
  }

  /// Computes the timing of eight springs again, of those with very short or very long periods exactly.
  private func correct(_ first: Int) {
    let list = kernel_due(scratch)
    for index in first..<(first &+ 8) {
      let pull = pulls[Int(kernel_due_springs_lane(list)[index])]
      let tick = tick &+ UInt64(kernel_due_springs_step(list)[index])
      let (passed, step) = ((pull.origin &+ pull.step &* tick) &<< 1, pull.step &<< 1)
      var next = UInt64(pull.window)
      if step == 0 {
        // An endless period counts as begun infinitely long ago.
        kernel_spring_states_ticks(kernel_states(scratch))[index] = 0x1p62
      } else {
        next = min(~passed / step, next &- 1) &+ 1
      }
      kernel_due_springs_next(list)[index] = UInt16(truncatingIfNeeded: next)
    }
  }

  /// Puts the restarts within a number of ticks into the columns of the block.
  ///
  /// - Returns: Their count.
  private func spread(_ dueCount: Int, within ticks: UInt32) -> UInt32 {
    let (list, states) = (kernel_due(scratch), kernel_states(scratch))
    let restarted = kernel_restarted(scratch)
    let (steps, nexts) = (kernel_due_springs_step(list), kernel_due_springs_next(list))
    let first = UInt8(truncatingIfNeeded: tick)
    var restartCount: UInt32 = 0
    for index in 0..<dueCount {
      let step = steps[index]
      if step > ticks { continue }
      restartCount &+= 1
      let lane = Int(kernel_due_springs_lane(list)[index])
      kernel_restarted_springs_step(restarted)[lane] = step
      kernel_restarted_springs_displacement(restarted)[lane] =
        kernel_spring_states_displacement(states)[index]
      kernel_restarted_springs_change(restarted)[lane] = kernel_spring_states_change(states)[index]
      kernel_restarted_springs_base(restarted)[lane] = kernel_due_springs_base(list)[index]
      kernel_restarted_springs_group(restarted)[lane / Lanes.scalarCount] = 1
      due[lane] = first &+ UInt8(truncatingIfNeeded: step &+ nexts[index])
    }
    return restartCount
  }
}

/// Where in their periods eight springs are at a tick.
private struct Timing {
  /// The uppermost bit says there or back; the others are the part of the period that has passed.
  let phase: WideWords
  private let passed: WideWords
  private let step: WideWords
  /// Ticks of a period, in units of 2^-64.
  private let perTick: Wide

  @inline(__always)
  init(origin: WideWords, step: WideWords, tick: WideWords) {
    phase = origin &+ step &* tick
    passed = phase &<< 1
    self.step = step &<< 1
    perTick =
      Wide(repeating: 1) / (kernel_wide_floats(self.step &>> 1) * Wide(repeating: 2))
  }

  /// Whether `next` may be wrong, in the uppermost bit: periods shorter than two ticks or longer than 2^51.
  @inline(__always)
  var isOdd: WideWords { step &- 1 << 13 }

  /// Ticks since the period began.
  @inline(__always)
  var ticks: Wide {
    // Without the slack, but never less than 0.
    let bits = UInt64(KERNEL_PHASE_SLACK_BITS) + 1
    let isLess = passed &>> bits &- 1
    let exactly = kernel_wide_word_choice(isLess, passed &- 1 << bits, WideWords(repeating: 0))
    return wholeTicks(exactly)
  }

  /// Ticks to the end of the period, or at most a window; whole ones, rounded up.
  @inline(__always)
  func next(_ window: WideWords) -> WideWords {
    let left = ~passed
    // The nearest whole number is right or 1 too large: the remainder, a whole number, says which.
    let limit = Wide(repeating: 2 * Double(KERNEL_SPRING_WINDOW))
    let ticks = wholeTicks(left)
    let few = kernel_wide_choice(
      unsafeBitCast(limit - ticks, to: WideWords.self), ticks, limit)
    let shifter = Wide(repeating: 0x1.8p52)
    let nearest = unsafeBitCast(few + shifter, to: WideWords.self) & 0xffff
    let remainder = left &- nearest &* step
    let next = nearest &+ 1 &- (remainder &>> 63)
    return kernel_wide_word_choice(next &- window, window, next)
  }

  @inline(__always)
  private func wholeTicks(_ phase: WideWords) -> Wide {
    kernel_wide_floats(phase &>> 11) * Wide(repeating: 0x1p11) * perTick
  }
}
