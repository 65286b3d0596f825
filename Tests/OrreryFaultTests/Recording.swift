// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryTrace
import OrreryWire

/// One trace on a simulated disk, and a list of what was put into it.
final class Recording {
  let writer: TraceWriter
  let disk: SimulatedDisk

  /// Steps for which the disk still holds writes up.
  private(set) var heldSteps = 0

  private let contents: FrameContents
  private let generation: UInt64
  private var frames = TraceChannelID(number: 1)
  private var losses = TraceChannelID(number: 2)

  /// What was taken, in order: a frame or a gap.
  private var taken: [ClosedRange<UInt64>] = []
  private var isFrame: [Bool] = []
  private var wasHeldUp = false

  /// Whether a write can fail only because the disk is full.
  private let isOnlyFull: Bool

  init(_ writer: TraceWriter, _ disk: SimulatedDisk, _ sim: SimulatedSim, isOnlyFull: Bool) {
    self.writer = writer
    self.disk = disk
    self.isOnlyFull = isOnlyFull
    contents = sim.contents
    generation = sim.writer.generation
  }

  var takenCount: Int { taken.count }

  func begin() throws(TraceError) {
    let schema = try writer.addSchema(name: "orrery.Frame", encoding: "protobuf", data: [1])
    frames = try writer.addChannel(
      topic: "/orrery/frames", messageEncoding: "protobuf", schema: schema)
    losses = try writer.addChannel(
      topic: "/orrery/loss", messageEncoding: "protobuf", schema: schema)
    try writer.addAttachment(
      name: "scene.toml", mediaType: "application/toml", data: [2], logTimeNs: 1, createTimeNs: 0)
  }

  /// Chunks are handed to the writer's thread and stay there for so many steps: few enough that its
  /// buffers suffice, since nobody lets the disk go on while the scheduler waits.
  func holdUp(steps: Int) {
    heldSteps = steps
    wasHeldUp = wasHeldUp || steps > 1
    disk.holdUp(steps > 0)
  }

  func pass() {
    guard heldSteps > 0 else { return }
    heldSteps -= 1
    if heldSteps == 0 { disk.holdUp(false) }
  }

  func take(
    _ frame: FrameView, timeNs: UInt64, isIntact: () -> Bool
  ) throws(TraceError) -> Bool {
    // Taken first and taken back: a failure in the midst loses what was taken.
    taken.append(frame.sequence...frame.sequence)
    isFrame.append(true)
    let isKept = try writer.write(
      frames, sequence: UInt32(frame.sequence), logTimeNs: timeNs,
      publishTimeNs: frame.stamp().publishTimeNs, parts: [frame.bytes], isIntact: isIntact)
    if !isKept {
      taken.removeLast()
      isFrame.removeLast()
    }
    return isKept
  }

  func take(_ gap: ClosedRange<UInt64>, timeNs: UInt64) throws(TraceError) {
    taken.append(gap)
    isFrame.append(false)
    var bytes = [UInt8](repeating: 0, count: 16)
    bytes.withUnsafeMutableBytes { buffer in
      buffer.storeBytes(of: gap.lowerBound, as: UInt64.self)
      buffer.storeBytes(of: gap.upperBound, toByteOffset: 8, as: UInt64.self)
    }
    try writer.write(losses, sequence: 0, logTimeNs: timeNs, publishTimeNs: timeNs, bytes: bytes)
  }

  func finish(_ account: Losses, simEnded: Bool) throws(TraceError) {
    try writer.flush()
    try writer.addMetadata(name: "orrery.summary", Self.summary(account))
    try writer.finish()
  }

  private static func summary(_ account: Losses) -> [String: String] {
    [
      "published": "\(account.last - account.joinedAfter)", "received": "\(account.receivedCount)",
      "missed": "\(account.missedCount)",
    ]
  }

  // MARK: - Checks

  /// What is wrong with a finished trace; nil if nothing is.
  func problemWhenFinished(_ account: Losses) -> String? {
    do throws(TraceError) {
      let reader = try TraceReader(bytes: disk.bytes)
      let (count, problem) = try compare(reader)
      if let problem { return problem }
      if isFrame.count(where: { $0 }) != Int(account.receivedCount) {
        return
          "\(isFrame.count(where: { $0 })) frames are in it of \(account.receivedCount) received"
      }
      if count != taken.count { return "\(count) of \(taken.count) messages are in it" }
      let summary = Self.summary(account)
      return reader.metadata.map(\.values) == [summary] ? nil : "its summary is not \(summary)"
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
      if case .damaged(let error) = reader.ending {
        // Killed while it wrote the end of a file over part of a record that a full disk had left.
        return disk.hasFailed ? nil : "it is damaged: \(error)"
      }
      if reader.ending != .complete, reader.offset != whole {
        return "it was read up to \(reader.offset), and is whole up to \(whole)"
      }
      // What was open, and what was on its way to a disk that answers at once or late.
      let most = (wasHeldUp ? 8 : 4) * (chunkBytesMost + Int(contents.layout.frameBytes) + 40)
      let lost = isFrame[count...].reduce(0) { $0 + ($1 ? Int(contents.layout.frameBytes) : 16) }
      return lost <= most ? nil : "\(lost) bytes of messages are lost of at most \(most)"
    } catch {
      return "it cannot be scanned: \(error)"
    }
  }

  /// What is wrong with a trace that could not be written on.
  func problem(after error: TraceError) -> String? {
    guard case .writeFailed(let failure) = error else { return "that is no failure to write" }
    let bytes = disk.bytes
    // Room for the summary is kept from the header on.
    if isOnlyFull, failure.offset > 0, !failure.isFinished { return "it was not finished" }
    if bytes.isEmpty { return failure.messagesKept == 0 ? nil : "the file is empty" }
    do throws(TraceError) {
      let mode: TraceReader.Mode = failure.isFinished ? .strict : .scan
      let (count, problem) = try compare(TraceReader(bytes: bytes, mode: mode))
      if let problem { return problem }
      return count == Int(failure.messagesKept)
        ? nil : "\(count) messages are in it, and \(failure.messagesKept) were said to be"
    } catch {
      return "it cannot be read: \(error)"
    }
  }

  /// Largest chunk that a simulated logger asks for.
  private let chunkBytesMost = 3_000

  /// Reads all messages and compares them with what was taken first.
  private func compare(_ reader: TraceReader) throws(TraceError) -> (count: Int, problem: String?) {
    var count = 0
    while let message = try reader.nextMessage() {
      guard count < taken.count else { return (count, "it has a message that was not taken") }
      let gap = taken[count]
      let expected: [UInt8] =
        isFrame[count]
        ? contents.bytes(sequence: gap.lowerBound, generation: generation)
        : withUnsafeBytes(of: (gap.lowerBound, gap.upperBound)) { Array($0) }
      guard message.bytes.elementsEqual(expected) else {
        return (count, "message \(count), of \(gap), is not what was published")
      }
      count += 1
    }
    return (count, nil)
  }

  /// End of the last whole record, found without the reader; nil if not even the magic is there.
  private static func wholeBytes(of bytes: [UInt8]) -> UInt64? {
    guard bytes.count >= 8 else { return nil }
    var offset = 8
    while offset + 9 <= bytes.count {
      let length = (0..<8).reduce(0) { $0 | Int(bytes[offset + 1 + $1]) << (8 * $1) }
      guard length <= bytes.count - offset - 9 else { break }
      offset += 9 + length
    }
    return UInt64(offset)
  }
}
