// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder

/// Rounds of keyframes that `bench kernels` plays: Orrery's plan, and the same numbers for peers.
///
/// Sixteen neighbours have rounds of one length, as the tracks of one animation have. Keyframes begin and end at rest, so
/// each segment is a cubic.
package struct KernelTracks: Sendable {
  /// Segments of a round.
  package let segmentCount: Int
  /// Entity k plays course k modulo this.
  package let courseCount: Int
  /// Seconds of a round, by course; a whole number of ticks.
  package let seconds: [Double]
  /// When each segment starts, in turns, course after course; the first starts at 0.
  package let starts: [Double]
  /// The value at each start, in points.
  package let values: [Double]

  /// Courses that many entities share, and entities that have one length.
  private static let (sharedCount, neighbourCount) = (64, 16)

  /// Draws courses; the same ones in each run.
  ///
  /// - Parameters:
  ///   - segmentCount: Segments of a round, 1 to 16.
  ///   - count: Entities.
  ///   - isShared: Whether the entities share 64 courses; otherwise each has its own.
  package init(segmentCount: Int, count: Int, isShared: Bool) {
    self.segmentCount = segmentCount
    courseCount = isShared ? Self.sharedCount : count
    func random(_ course: Int, _ number: Int) -> UInt64 {
      StableHash.mix(UInt64(course) << 8 | UInt64(number))
    }
    var (starts, values) = ([Double](), [Double]())
    starts.reserveCapacity(courseCount * segmentCount)
    values.reserveCapacity(courseCount * segmentCount)
    // Keyframes stand on eighths of a round, many of them on parts of 32.
    let cells = segmentCount <= 4 ? 8 : 32
    for course in 0..<courseCount {
      var free = Array(1..<cells)
      let chosen = (1..<segmentCount).map { number in
        free.remove(at: Int(random(course, number) % UInt64(free.count)))
      }
      starts += ([0] + chosen.sorted()).map { Double($0) / Double(cells) }
      values += (0..<segmentCount).map { Double(random(course, 64 + $0) % 4000) / 10 }
    }
    seconds = (0..<courseCount).map { course in
      2 + Double(random(course / Self.neighbourCount, 128) % 41) / 5
    }
    (self.starts, self.values) = (starts, values)
  }

  /// The index of an entity's course.
  package func course(_ entity: Int) -> Int { entity % courseCount }

  /// The columns of bench/peers/peer.h, for some entities.
  package func columns(count: Int) -> [[Double]] {
    [(0..<count).map { Double(course($0)) }, seconds, starts, values]
  }

  /// Views that each have a track that moves them to the right.
  package func plan(count: Int, rate: TickRate) -> ScenePlan {
    let courses = (0..<courseCount).map(orreryCourse)
    var plan = ViewsPlan()
    plan.views = (0..<count).map { entity in
      ViewPlan(
        name: "v\(entity)", initial: [values[course(entity) * segmentCount], 0, 1, 1, 0, 0])
    }
    plan.tracks = (0..<count).compactMap { entity in
      courses[course(entity)].map {
        KeyframeTrackPlan(view: entity, property: .x, course: $0)
      }
    }
    return ScenePlan(
      name: "kernels", seed: 1, rate: rate, batches: [.views(plan)],
      layout: Orrery_SceneLayout())
  }

  private func orreryCourse(_ course: Int) -> KeyframeCourse? {
    let first = course * segmentCount
    let steps = (0..<segmentCount).map { number -> KeyframeStep in
      let isLast = number + 1 == segmentCount
      let length = (isLast ? 1 : starts[first + number + 1]) - starts[first + number]
      return .cubic(
        values[isLast ? first : first + number + 1], duration: length * seconds[course],
        startVelocity: 0, endVelocity: 0)
    }
    return KeyframeCourse(KeyframeLoop(property: .x, steps: steps), initial: values[first])
  }

  /// An entity's value as objects compute it: its segment is looked for, and eased.
  ///
  /// - Parameters:
  ///   - entity: Index of the entity.
  ///   - turn: Part of the round, 0 to 1.
  /// - Returns: Points.
  func value(_ entity: Int, turn: Double) -> Double {
    let first = course(entity) * segmentCount
    var number = 0
    while number + 1 < segmentCount, starts[first + number + 1] <= turn { number += 1 }
    let isLast = number + 1 == segmentCount
    let (from, to) = (
      values[first + number], values[isLast ? first : first + number + 1]
    )
    let end = isLast ? 1 : starts[first + number + 1]
    let u = (turn - starts[first + number]) / (end - starts[first + number])
    return from + (to - from) * u * u * (3 - 2 * u)
  }
}
