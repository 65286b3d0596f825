// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: everything that an animation comes to is told once, at its exact time and in order.
///
/// Method: an engine is stepped in ways that miss the times, and what it told is compared line by
/// line.
@Suite struct EngineEventTests {
  /// [S2-18] linear(0.8).repeatCount(3) stepped by 1/7 s -> leg ends 0.8, 1.6, 2.4, in this order.
  @Test func legsEndAtTheirExactTimes() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 0.8).repeatCount(3)) { x.value = 1 }
    for step in 1...20 { recorder.engine.advance(to: Double(step) / 7) }
    #expect(
      recorder.take() == [
        "0.8 x leg 0", "1.6 x leg 1", "2.4 x leg 2", "2.4 x complete", "2.4 x finished",
      ])
  }

  /// [S2-19] One step of 10 s -> the three leg ends above, then removed; [S2-06] compound and
  /// single events at 0.8; [N-04] huge dt fires each event once, in order.
  @Test func oneHugeStepTellsEverything() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 0.8).repeatCount(3)) {
      x.value = 1
    } completion: {
      recorder.note("done")
    }
    recorder.engine.advance(by: 10)
    #expect(
      recorder.take() == [
        "0.8 x leg 0", "1.6 x leg 1", "2.4 x leg 2", "2.4 x complete", "2.4 done", "2.4 x finished",
      ])
    #expect(recorder.engine.time == 10)
    recorder.engine.advance(by: 1e300)
    #expect(recorder.take() == [])
  }

  /// [S2-06] One view with scale, rotation, opacity in one transaction, linear(0.8): one compound
  /// event at 0.8, three single ones; a repetition is told leg by leg and as a whole.
  @Test func completionIsSingleCompoundAndRepeated() {
    let recorder = EngineRecorder()
    let view = recorder.engine.scope()
    let properties = ["scale", "rotation", "opacity"].map { view.property(0.0, name: $0) }
    withAnimation(.linear(duration: 0.8)) {
      for property in properties { property.value = 1 }
    } completion: {
      recorder.note("compound")
    }
    recorder.engine.advance(to: 1)
    let lines = recorder.take()
    #expect(lines.filter { $0 == "0.8 compound" }.count == 1)
    let finished = lines.filter { $0.hasSuffix("finished") }
    #expect(finished == ["0.8 scale finished", "0.8 rotation finished", "0.8 opacity finished"])
    #expect(lines.allSatisfy { $0.hasPrefix("0.8 ") })
  }

  /// [S2-11] Total 3, two legs done -> not finished; third leg end -> finished.
  @Test func repetitionIsFinishedWithItsLastLeg() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 1).repeatCount(3)) { x.value = 1 }
    recorder.engine.advance(to: 2.5)
    #expect(recorder.take() == ["1 x leg 0", "2 x leg 1"])
    #expect(x.isAnimating)
    recorder.engine.advance(to: 3)
    #expect(recorder.take() == ["3 x leg 2", "3 x complete", "3 x finished"])
    #expect(!x.isAnimating)
  }

  /// [S2-17] repeatForever for 1000 s -> no completion; destroyed at 2 s -> "cancelled" at 2 s.
  @Test func endlessAnimationIsNeverFinishedButCancelled() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    for criteria in [AnimationCompletionCriteria.logicallyComplete, .removed] {
      withAnimation(
        .linear(duration: 1).repeatForever(), completionCriteria: criteria
      ) {
        x.value += 1
      } completion: {
        recorder.note("done")
      }
    }
    recorder.engine.advance(to: 1_000)
    #expect(recorder.take() == (0..<1_000).map { "\($0 + 1) x leg \($0)" })

    let y = recorder.engine.property(0.0, name: "y")
    withAnimation(.linear(duration: 5)) {
      y.value = 1
    } completion: {
      recorder.note("y done")
    }
    x.destroy()
    #expect(recorder.take() == ["1000 x cancelled", "1000 done", "1000 done"])
    recorder.engine.advance(by: 2)
    #expect(recorder.take() == [])
    y.destroy()
    y.destroy()
    #expect(recorder.take() == ["1002 y cancelled", "1002 y done"])
    y.value = 7
    recorder.engine.advance(by: 100)
    #expect(recorder.take() == [])
    #expect(y.presentation == 7)
  }

  /// [S2-20] Durations 0.8 and 3 -> 3; [C-06] linear(0.8) and linear(0.8).delay(0.4) -> 1.2.
  @Test func groupCompletesWithItsLastMember() {
    let recorder = EngineRecorder(events: false)
    let (x, y) = (recorder.engine.property(0.0), recorder.engine.property(0.0))
    for (first, second) in [
      (Animation.linear(duration: 0.8), Animation.linear(duration: 3)),
      (.linear(duration: 0.8), .linear(duration: 0.8).delay(0.4)),
    ] {
      let start = recorder.engine.time
      var transaction = Transaction()
      transaction.addAnimationCompletion { recorder.note("done") }
      withTransaction(transaction) {
        withAnimation(first) { x.value += 1 }
        withAnimation(second) { y.value += 1 }
      }
      recorder.engine.advance(to: start + 10)
    }
    #expect(recorder.take() == ["3 done", "11.2 done"])
  }

  /// [S2-21] 1 s legs, until 2.5 -> leg ends 1, 2, and no completion.
  @Test func endlessAnimationTellsItsLegs() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 1).repeatForever()) {
      x.value = 1
    } completion: {
      recorder.note("done")
    }
    recorder.engine.advance(to: 2.5)
    #expect(recorder.take() == ["1 x leg 0", "2 x leg 1"])
  }

  /// [S2-22] linear(1) re-targeted at 0.5 with linear(1): one "finished" at 1.5, none at 1.0 for
  /// criteria removed.
  @Test func retargetingIsNotCompletion() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 1), completionCriteria: .removed) {
      x.value = 1
    } completion: {
      recorder.note("done")
    }
    recorder.engine.advance(to: 0.5)
    withAnimation(.linear(duration: 1)) { x.value = 2 }
    recorder.engine.advance(to: 1.2)
    #expect(recorder.take() == ["1 x leg 0", "1 x complete"])
    recorder.engine.advance(to: 5)
    #expect(recorder.take() == ["1.5 x leg 0", "1.5 x complete", "1.5 x finished", "1.5 done"])
  }

  /// [C-05] withAnimation(linear(1), completion) { } with no change -> one call before the next
  /// tick ends; withAnimation { x = x } creates none.
  @Test func completionWithoutAnimationsRunsRightAfterTheBody() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(1.0, name: "x")
    for criteria in [AnimationCompletionCriteria.logicallyComplete, .removed] {
      withAnimation(.linear(duration: 1), completionCriteria: criteria) {
        recorder.note("body")
      } completion: {
        recorder.note("done")
      }
      withAnimation(.linear(duration: 1), completionCriteria: criteria) {
        x.value = x.value
        recorder.note("body")
      } completion: {
        recorder.note("done")
      }
    }
    let expected = Array(repeating: ["0 body", "0 done"], count: 4).flatMap { $0 }
    #expect(recorder.take() == expected)
    recorder.engine.advance(to: 10)
    #expect(recorder.take() == [])
  }

  /// [C-08] linear(1) at 0, linear(1) at 0.6: logical 1.0 and 1.6; removed 1.6 and 1.6.
  @Test func logicalEndsAreTheirOwnAndRemovalIsCommon() {
    let recorder = EngineRecorder(events: false)
    let x = recorder.engine.property(0.0)
    for (name, time) in [("first", 0.0), ("second", 0.6)] {
      recorder.engine.advance(to: time)
      var transaction = Transaction(animation: .linear(duration: 1))
      transaction.addAnimationCompletion { recorder.note("\(name) logical") }
      transaction.addAnimationCompletion(criteria: .removed) { recorder.note("\(name) removed") }
      withTransaction(transaction) { x.value += 1 }
    }
    recorder.engine.advance(to: 1.5)
    #expect(recorder.take() == ["1 first logical"])
    recorder.engine.advance(to: 3)
    #expect(recorder.take() == ["1.6 second logical", "1.6 first removed", "1.6 second removed"])
  }

  /// [C-08] The same for springs, of which the second takes over the first: 0.4 and 0.5, and one
  /// removal.
  @Test func mergedSpringsKeepTheirOwnLogicalEnds() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    for time in [0.0, 0.1] {
      recorder.engine.advance(to: time)
      withAnimation(.spring(duration: 0.4)) {
        x.value += 100
      } completion: {
        recorder.note("done")
      }
    }
    recorder.engine.advance(to: 10)
    let lines = recorder.take()
    #expect(lines.prefix(4) == ["0.4 x complete", "0.4 done", "0.5 x complete", "0.5 done"])
    #expect(lines.filter { $0.hasSuffix("finished") }.count == 1)
    #expect(lines.filter { $0.contains("leg") }.count == 1)
    #expect(lines.count == 6)
  }

  /// [C-09] linear(5), destroyed at 0.7 -> one call at 0.7.
  @Test func destroyedThingIsRemovedAtOnce() {
    for criteria in [AnimationCompletionCriteria.logicallyComplete, .removed] {
      let recorder = EngineRecorder(events: false)
      let view = recorder.engine.scope()
      let (x, other) = (view.property(0.0), recorder.engine.property(0.0))
      withAnimation(.linear(duration: 5), completionCriteria: criteria) {
        x.value = 1
      } completion: {
        recorder.note("done")
      }
      withAnimation(.linear(duration: 5)) { other.value = 1 }
      recorder.engine.advance(to: 0.7)
      view.destroy()
      #expect(recorder.take() == ["0.7 done"])
      #expect(x.isDestroyed)
      #expect(!x.isAnimating)
      #expect(x.presentation == 1)
      #expect(other.isAnimating)
      recorder.engine.advance(to: 100)
      #expect(recorder.take() == [])
    }
  }

  @Test func jumpCancelsWhatRuns() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 1)) { x.value = 1 }
    recorder.engine.advance(to: 0.5)
    x.value = 5
    #expect(recorder.take() == ["0.5 x cancelled"])
    #expect(x.presentation == 5)
    recorder.engine.advance(to: 2)
    #expect(recorder.take() == [])
  }

  /// Changes at one instant are one change: who waits for the first waits for the second.
  @Test func replacedChangeCompletesWithTheOneThatReplacedIt() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 5)) {
      x.value = 10
    } completion: {
      recorder.note("first")
    }
    withAnimation(.linear(duration: 1)) { x.value = 20 }
    recorder.engine.advance(to: 0.5)
    #expect(x.presentation == 10)
    recorder.engine.advance(to: 9)
    #expect(recorder.take() == ["1 x leg 0", "1 x complete", "1 first", "1 x finished"])
  }

  /// Two changes of one instant that lead back are over at once, and prolong nothing.
  @Test(arguments: [Animation.linear(duration: 5), .linear.repeatForever()])
  func changesThatLeadBackLeaveTheRestAsItWas(animation: Animation) {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 1), completionCriteria: .removed) {
      x.value = 10
    } completion: {
      recorder.note("first")
    }
    recorder.engine.advance(to: 0.5)
    for (name, value) in [("away", 20.0), ("back", 10)] {
      withAnimation(animation, completionCriteria: .removed) {
        x.value = value
      } completion: {
        recorder.note(name)
      }
    }
    #expect(recorder.take() == ["0.5 away", "0.5 back"])
    recorder.engine.advance(to: 0.75)
    #expect(x.presentation == 7.5)
    recorder.engine.advance(to: 9)
    #expect(recorder.take() == ["1 x leg 0", "1 x complete", "1 x finished", "1 first"])
  }

  /// [N-07] Ends 0.31, 0.30, 0.305 in one tick -> 0.30, 0.305, 0.31.
  @Test func completionsOfOneTickComeInOrder() {
    let recorder = EngineRecorder(events: false)
    let ends = [0.31, 0.30, 0.305]
    let properties = ends.map { _ in recorder.engine.property(0.0) }
    for (end, property) in zip(ends, properties) {
      withAnimation(.linear(duration: end)) {
        property.value = 1
      } completion: {
        recorder.note("done")
      }
    }
    recorder.engine.advance(by: 0.5)
    #expect(recorder.take() == ["0.3 done", "0.305 done", "0.31 done"])
  }

  /// [N-07] By creation where ends are equal, whatever has happened to the animations before.
  @Test func equalEndsComeInOrderOfCreation() {
    let recorder = EngineRecorder(events: false)
    let properties = (0..<100).map { _ in recorder.engine.property(0.0) }
    for (index, property) in properties.enumerated() {
      let animation: Animation =
        index.isMultiple(of: 3) ? .linear(duration: 1).repeatCount(4) : .linear(duration: 4)
      withAnimation(animation) {
        property.value = 1
      } completion: {
        recorder.note("\(index)")
      }
    }
    recorder.engine.advance(by: 0.5)
    recorder.engine.advance(by: 2.75)
    recorder.engine.advance(by: 1)
    #expect(recorder.take() == (0..<100).map { "4 \($0)" })
  }

  @Test func millionsOfLegsInOneStepAreBounded() {
    let recorder = EngineRecorder(events: false)
    var (count, last) = (0, 0)
    recorder.engine.onEvent = {
      guard case .legEnded(let index) = $0.kind else { return }
      (count, last) = (count + 1, index)
    }
    let x = recorder.engine.property(0.0)
    withAnimation(.linear(duration: 1).repeatForever()) { x.value = 1 }
    recorder.engine.advance(to: 1e12)
    #expect((count, last) == (1_000_000, 999_999_999_999))
    recorder.engine.onEvent = nil
    recorder.engine.advance(to: 1e13)
    recorder.engine.advance(to: 1e13 + 0.25)
    #expect(x.presentation == 0.25)
  }

  /// [C-08] Several completions of one transaction each wait for their own moment.
  @Test func completionsOfOneTransactionAreToldApart() {
    let recorder = EngineRecorder(events: false)
    let x = recorder.engine.property(0.0)
    var transaction = Transaction(animation: .spring(duration: 0.5, bounce: 0.3).delay(0.5))
    transaction.addAnimationCompletion(criteria: .removed) { recorder.note("removed") }
    transaction.addAnimationCompletion { recorder.note("first") }
    transaction.addAnimationCompletion(criteria: .logicallyComplete) { recorder.note("second") }
    withTransaction(transaction) { x.value = 1 }
    recorder.engine.advance(to: 1.25)
    #expect(recorder.take() == ["1 first", "1 second"])
    recorder.engine.advance(to: 5)
    let end = 0.5 + Spring(duration: 0.5, bounce: 0.3).settlingBound
    #expect(recorder.take() == ["\((end * 1e9).rounded() / 1e9) removed"])
    #expect(AnimationCompletionCriteria.removed != .logicallyComplete)
  }

  /// Where a leg, the logical completion and the removal are at one time, they come in this order; a logical
  /// completion before the last leg comes before it.
  @Test func eventsOfOneAnimationAreOrdered() {
    let recorder = EngineRecorder()
    let (x, y) = (
      recorder.engine.property(0.0, name: "x"), recorder.engine.property(0.0, name: "y")
    )
    withAnimation(.linear(duration: 1).repeatCount(2).logicallyComplete(after: 1)) { x.value = 1 }
    recorder.engine.advance(to: 9)
    #expect(recorder.take() == ["1 x leg 0", "1 x complete", "2 x leg 1", "2 x finished"])
    withAnimation(.linear(duration: 2).logicallyComplete(after: 0.5)) { y.value = 1 }
    recorder.engine.advance(to: 10)
    #expect(recorder.take() == ["9.5 y complete"])
    recorder.engine.advance(to: 20)
    #expect(recorder.take() == ["11 y leg 0", "11 y finished"])
  }
}
