// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryReplay
import OrreryScene
import Testing

/// Goal: what a recording says of its own form is used: which layout the run had, what was left out, what was rounded.
///
/// Method: the scene of a trace, changed in one field.
@Suite struct RecordedFormTests {
  /// A scene of its own layout says it by itself; of another one, the recording says which the run had.
  @Test(arguments: [false, true])
  func digestIsComputedInTheLayoutOfTheRun(isOfAnother: Bool) throws {
    let run = try RecordedRun(ticks: [1, 2])
    let path = try run.write(
      .digest,
      alterScene: { scene in
        scene.recording.mode = "digest"
        if isOfAnother {
          scene.recording.runLayoutHash = scene.layoutHash
          scene.layoutHash = 7
        }
      })
    var check = try ContentCheck(FrameArchive(paths: [path]))
    let report = try check.run()
    #expect(report.provable && report.isEqual && report.frames == 2, "\(report)")
  }

  @Test(arguments: [false, true])
  func digestOfAnotherLayoutIsRefused(hasRecording: Bool) throws {
    let run = try RecordedRun(ticks: [1, 2])
    let path = try run.write(
      .digest,
      alterScene: { scene in
        if hasRecording { scene.recording.runLayoutHash = 7 } else { scene.layoutHash = 7 }
      })
    let error = #expect(throws: Failure.self) { try FrameArchive(paths: [path]) }
    #expect(error?.status == .unmet)
    #expect(error?.description.contains("other columns than the run had") == true)
  }

  /// A trace of before has no options: the columns of its views are those that their batch has.
  @Test func columnsOfATraceWithoutOptionsAreThoseOfItsViews() throws {
    let run = try RecordedRun(ticks: [1, 2])
    let path = try run.write(.digest, alterScene: { $0.clearOptions() })
    var check = try ContentCheck(FrameArchive(paths: [path]))
    let report = try check.run()
    #expect(report.provable && report.isEqual && report.frames == 2, "\(report)")
  }

  /// A scene that comes with Orrery, whose texts are translated: its options or its text tell.
  @Test func builtInScenesAreTold() throws {
    var layout = try RecordedRun(ticks: [1]).scene
    func isBuiltIn() throws -> Bool {
      try ReplayScene(layout, path: "test").plan.layout.options.builtIn
    }
    for said in [false, true] {
      layout.options.builtIn = said
      #expect(try isBuiltIn() == said)
    }
    layout.clearOptions()
    #expect(try !isBuiltIn())
    layout.scene = "feed"
    layout.source = try #require(BuiltInScenes.text("feed"))
    #expect(try isBuiltIn())
  }

  /// Lists that were left out come from the scene's text; others are the recorded ones.
  @Test(arguments: [false, true])
  func listsThatWereLeftOutAreComputed(isStripped: Bool) throws {
    let run = try RecordedRun(ticks: [1])
    let path = try run.write(
      .digest,
      alterScene: { scene in
        scene.recording.isStripped = isStripped
        scene.batches[0].originX = [5]
      })
    let scene = try FrameArchive(paths: [path]).scene
    #expect(scene.batches[0].originX.count == (isStripped ? 3_000 : 1))
    #expect(!scene.hasRecording)
  }

  @Test(
    arguments: [(0, 0, true), (nil, 0, true), (7, 0, false), (nil, 16, false), (0, 16, false)]
      as [(UInt64?, UInt32, Bool)])
  func valuesAreExactUnlessSomeAreLeftOutOrRounded(
    runLayout: UInt64?, bits: UInt32, isExact: Bool
  ) throws {
    let run = try RecordedRun(ticks: [1])
    let path = try run.write(
      bits == 0 ? .full : .quantised,
      alterScene: { scene in
        scene.recording.runLayoutHash = runLayout ?? scene.layoutHash
        scene.recording.quantiseBits = bits
      })
    #expect(try FrameArchive(paths: [path]).isExact == isExact)
  }
}
