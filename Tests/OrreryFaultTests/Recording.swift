// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRecording
import OrreryTrace
import OrreryWire

/// The logger's recorder on a simulated disk, and a list of what it was given.
final class Recording {
  let writer: TraceWriter
  let disk: SimulatedDisk

  /// Steps for which the disk still holds writes up.
  private(set) var heldSteps = 0

  /// What the recorder was given, and when.
  private enum Entry {
    case scene(timeNs: UInt64)
    case frame(UInt64, timeNs: UInt64)
    case gap(ClosedRange<UInt64>, timeNs: UInt64)
  }

  private let path: String
  private let source: SimulatedSource
  private let clock: VirtualClock
  private let contents: FrameContents
  private let generation: UInt64
  private var recorder: Recorder?

  /// What was taken, in order.
  private var taken: [Entry] = []

  /// How many of these had been handed to the writer when its thread last came to rest.
  private var restedCount = 0

  /// Whether a write can fail only because the disk is full.
  private let isOnlyFull: Bool

  init(
    _ writer: TraceWriter, path: String, _ disk: SimulatedDisk, _ sim: SimulatedSim,
    _ ring: InterruptedRing, clock: VirtualClock, isOnlyFull: Bool
  ) {
    self.writer = writer
    self.path = path
    self.disk = disk
    self.clock = clock
    self.isOnlyFull = isOnlyFull
    source = SimulatedSource(ring)
    contents = sim.contents
    generation = sim.writer.generation
  }

  var takenCount: Int { taken.count }

  /// Chunks are handed to the writer's thread and stay there for so many steps: few enough that its
  /// buffers suffice, since nobody lets the disk go on while the scheduler waits.
  func holdUp(steps: Int) {
    heldSteps = steps
    disk.holdUp(steps > 0)
  }

  func pass() {
    guard heldSteps > 0 else { return }
    heldSteps -= 1
    if heldSteps == 0 { disk.holdUp(false) }
  }

  /// Waits until the writer's thread has nothing to do.
  func rest() {
    _ = writer.byteCount
    if !disk.isDead { restedCount = taken.count }
  }

  // MARK: - What the loop of a subscriber does

  func begin() throws(Failure) {
    taken.append(.scene(timeNs: clock.nowNs))
    let clock = clock
    recorder = try Recorder(
      writer, path: path, source: source, events: nil, clock: { clock.nowNs })
  }

  func use(_ frame: FrameView) throws(Failure) -> Bool {
    // Taken first and taken back: a failure in the midst loses what was taken.
    taken.append(.frame(frame.sequence, timeNs: clock.nowNs))
    let isKept = try recorder?.use(frame, source: source) ?? false
    if !isKept { taken.removeLast() }
    return isKept
  }

  func keep(_ sequence: UInt64) throws(Failure) { try recorder?.keep(sequence: sequence) }

  func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {
    taken.append(.gap(gap, timeNs: clock.nowNs))
    try recorder?.miss(gap)
  }

  func idle() throws(Failure) { try recorder?.idle() }

  func finish(_ account: Losses, simEnded: Bool) throws(Failure) {
    _ = try recorder?.finish(account, simEnded: simEnded)
  }

  /// Frames that were taken, in order.
  private var frames: [UInt64] {
    taken.compactMap { entry in
      if case .frame(let sequence, _) = entry { sequence } else { nil }
    }
  }

  /// What a finished trace says of itself.
  private func summary(_ account: Losses, simEnded: Bool) -> [String: String] {
    let last = frames.last.map { contents.stamp(sequence: $0) }
    return [
      "published": "\(account.receivedCount + account.missedCount)",
      "received": "\(account.receivedCount)", "missed": "\(account.missedCount)",
      "joined_after": "\(account.joinedAfter)", "sim_ended": "\(simEnded)",
      "last_tick": "\(last?.tick ?? 0)", "state_hash": hexadecimal(last?.stateHash ?? 0),
    ]
  }

  // MARK: - Checks

  /// What is wrong with a finished trace; nil if nothing is.
  func problemWhenFinished(_ account: Losses, simEnded: Bool) -> String? {
    do throws(TraceError) {
      let reader = try TraceReader(bytes: disk.bytes)
      let (count, problem) = try compare(reader)
      if let problem { return problem }
      if frames.count != Int(account.receivedCount) {
        return "\(frames.count) frames are in it of \(account.receivedCount) received"
      }
      if count != taken.count { return "\(count) of \(taken.count) messages are in it" }
      let summary = summary(account, simEnded: simEnded)
      if reader.metadata.map(\.values) != [summary] { return "its summary is not \(summary)" }
      guard let scene = reader.attachments.first, reader.attachments.count == 1 else {
        return "it has \(reader.attachments.count) attachments"
      }
      let text = try reader.data(of: scene)
      return scene.head.name == contents.sceneName + ".toml"
        && text == Array(contents.sceneText.utf8)
        ? nil : "its attachment is not the scene"
    } catch {
      return "it cannot be read: \(error)"
    }
  }

  /// What is wrong with a trace whose process was killed.
  func problemWhenCutOff() -> String? {
    let bytes = disk.bytes
    guard let whole = Self.wholeBytes(of: bytes) else { return nil }
    do throws(TraceError) {
      let reader = try TraceReader(bytes: bytes, mode: .scan)
      let (count, problem) = try compare(reader)
      if let problem { return problem }
      switch reader.ending {
      case .whole, nil, .unfinished(.endOfRecording): break
      case .damaged(let error):
        // All data was read, and the summary behind it is of an earlier moment: it does not list the last chunks.
        if let dataEnd = Self.dataEnd(of: bytes), reader.offset > dataEnd { break }
        // Killed when the file had just been made longer: the head of its new room is not written yet.
        if case .invalidOpcode = error, Self.isEmpty(bytes, at: reader.offset) { break }
        // Killed in the midst of a write over room, or over an earlier end of the file: there the bytes of both are
        // mixed, which may look like anything. Before that place nothing may be damaged.
        guard let torn = disk.tornOffset, reader.offset >= torn else {
          return "it is damaged: \(error)"
        }
      case .unfinished:
        if reader.offset != whole {
          return "it was read up to \(reader.offset), and is whole up to \(whole)"
        }
      }
      // What was taken since the writer's thread was last at rest; and what was open then: less than a chunk, or a
      // message that has one of its own.
      let largest = taken.map(byteCount(of:)).max() ?? 0
      let most =
        taken[max(count, min(restedCount, taken.count))...].reduce(0) { $0 + byteCount(of: $1) }
        + max(chunkBytesMost, largest) + 40
      let lost = taken[count...].reduce(0) { $0 + byteCount(of: $1) }
      return lost <= most ? nil : "\(lost) bytes of messages are lost of at most \(most)"
    } catch {
      return "it cannot be scanned: \(error)"
    }
  }

  /// What is wrong with a trace that could not be written on, and with what the recorder says of it.
  func problem(after said: Failure) -> String? {
    let error: TraceError
    do throws(TraceError) {
      // What it was that failed is what fails again.
      try writer.flush()
      return "the writer goes on"
    } catch let failure {
      error = failure
    }
    guard said.status == .inputOutput, said.description.hasSuffix("\(error)"),
      said.description.split(separator: path).count <= 2
    else { return "\(error) is not what it says" }
    guard case .writeFailed(let failure) = error else { return "that is no failure to write" }
    let bytes = disk.bytes
    // Room for the summary is kept from the header on.
    if isOnlyFull, failure.offset > 0, !failure.isFinished { return "it was not finished" }
    if bytes.isEmpty { return failure.messagesKept == 0 ? nil : "the file is empty" }
    do throws(TraceError) {
      let mode: TraceReader.Mode = failure.isFinished ? .strict : .scan
      let reader = try TraceReader(bytes: bytes, mode: mode)
      let (count, problem) = try compare(reader)
      if let problem { return problem }
      if !reader.metadata.isEmpty, count < taken.count {
        return "its summary counts messages that are not in it"
      }
      return count == Int(failure.messagesKept)
        ? nil : "\(count) messages are in it, and \(failure.messagesKept) were said to be"
    } catch {
      return "it cannot be read: \(error)"
    }
  }

  /// Largest chunk that a simulated logger asks for.
  private let chunkBytesMost = 3_000

  private func byteCount(of entry: Entry) -> Int {
    switch entry {
    case .scene: contents.staticPart.count
    case .frame: Int(contents.layout.frameBytes)
    case .gap: 20
    }
  }

  /// Reads all messages and compares them with what was taken first.
  private func compare(_ reader: TraceReader) throws(TraceError) -> (count: Int, problem: String?) {
    var count = 0
    while let message = try reader.nextMessage() {
      guard count < taken.count else { return (count, "it has a message that was not taken") }
      let isRight =
        switch taken[count] {
        case .scene(let timeNs):
          isMessage(message, "/orrery/scene", 0, timeNs, timeNs, contents.staticPart)
        case .frame(let sequence, let timeNs):
          isMessage(
            message, "/orrery/frames", sequence, timeNs,
            contents.stamp(sequence: sequence).publishTimeNs,
            contents.bytes(sequence: sequence, generation: generation))
        case .gap(let gap, let timeNs):
          isMessage(message, "/orrery/loss", 0, timeNs, timeNs, Self.loss(gap))
        }
      guard isRight else {
        return (count, "message \(count), \(taken[count]), is not what was published")
      }
      count += 1
    }
    return (count, nil)
  }

  private func isMessage(
    _ message: TraceMessage, _ topic: String, _ sequence: UInt64, _ logTimeNs: UInt64,
    _ publishTimeNs: UInt64, _ bytes: [UInt8]
  ) -> Bool {
    message.topic == topic && message.head.sequence == UInt32(sequence)
      && message.head.logTimeNs == logTimeNs && message.head.publishTimeNs == publishTimeNs
      && message.bytes.elementsEqual(bytes)
  }

  private static func loss(_ gap: ClosedRange<UInt64>) -> [UInt8] {
    var loss = Orrery_Loss()
    loss.firstSequence = gap.lowerBound
    loss.lastSequence = gap.upperBound
    return FrameContents.encoded(loss)
  }

  /// Where the data section ends, found without the reader; nil if it has no end.
  private static func dataEnd(of bytes: [UInt8]) -> UInt64? {
    var offset = 8
    while offset + 9 <= bytes.count {
      if bytes[offset] == 0x0F { return UInt64(offset) }
      let length = length(bytes, at: offset)
      guard length <= UInt64(bytes.count - offset - 9) else { return nil }
      offset += 9 + Int(length)
    }
    return nil
  }

  /// Whether there are zeros where a record's head would be.
  private static func isEmpty(_ bytes: [UInt8], at offset: UInt64) -> Bool {
    bytes[Int(offset)...].prefix(9).allSatisfy { $0 == 0 }
  }

  /// Of the record at an offset.
  private static func length(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + 1 + $1]) << (8 * UInt64($1)) }
  }

  /// End of the last whole record, found without the reader; nil if not even the magic is there.
  private static func wholeBytes(of bytes: [UInt8]) -> UInt64? {
    guard bytes.count >= 8 else { return nil }
    var offset = 8
    while offset + 9 <= bytes.count {
      // Where a record was torn, this is any number.
      let length = length(bytes, at: offset)
      guard length <= UInt64(bytes.count - offset - 9) else { break }
      offset += 9 + Int(length)
    }
    return UInt64(offset)
  }
}
