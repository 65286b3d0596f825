// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Writes pictures as a video, through an encoder program in a process of its own.
///
/// The encoder writes a new file beside the path, which is renamed once the encoder has succeeded.
/// An encoder that is missing, dies or stops reading is an error, never a hang and never a signal.
/// If this process dies, the encoder reads the end of its input, completes the file under its
/// temporary name, and ends. It has the file as a descriptor and does not know its name: if somebody
/// has removed the file meanwhile, the encoder does not make it again.
package final class VideoWriter {
  /// Time without a byte read after which the encoder counts as stalled.
  package static let stallSeconds = 10.0

  /// Time for the encoder to complete the file, from its last progress: it copies the whole file
  /// once.
  package static let finishSeconds = 120.0

  /// A message about the video's size where it differs from that of its pictures; nil if it does not.
  package let notice: String?

  private let path: String

  /// Path of the file that the encoder writes, the file, and when its path is checked next.
  private let partial: String
  private let file: FileDescriptor
  private let identity: FileIdentity
  private var nextPollNs: UInt64

  /// Time between two polls, in nanoseconds.
  private static let pollNs: UInt64 = 1_000_000_000

  /// Bytes of every frame.
  private let frameBytes: Int

  private let stream: MatroskaStream

  /// Time of the first frame, at which the video begins; nil before it.
  private var startNs: UInt64?

  private let stallSeconds: Double
  private let finishSeconds: Double

  /// Nil once the video is complete or lost.
  private var encoder: EncoderProcess?

  /// Why the video is lost; later calls throw it again.
  private var lastError: RenderError?

  /// Starts the encoder.
  ///
  /// - Parameters:
  ///   - path: The video; its extension chooses container and codec, see `VideoFormat`. An
  ///     existing file is replaced.
  ///   - width: Pixels in a row of each frame, 1 to `ScenePainter.sideMax`.
  ///   - height: Rows of each frame, 1 to `ScenePainter.sideMax`. Odd sizes are padded by
  ///     a pixel where the codec stores one colour for two by two pixels.
  ///   - rateNumerator: Numerator of the maximum frame rate in Hz; times are rounded to it.
  ///   - rateDenominator: Denominator of the maximum frame rate.
  ///   - program: The encoder, found by PATH.
  ///   - stallSeconds: Limit for one frame, from the last byte that the encoder read.
  ///   - finishSeconds: Limit for completing the file, from the encoder's last progress.
  /// - Throws: `pictureSize`, `frameRate`, `videoFormat`, `encoderMissing`, `file`.
  package init(
    path: String, width: Int, height: Int, rateNumerator: UInt64, rateDenominator: UInt64,
    program: String = "ffmpeg", stallSeconds: Double = VideoWriter.stallSeconds,
    finishSeconds: Double = VideoWriter.finishSeconds
  ) throws(RenderError) {
    let limit = ScenePainter.sideMax
    guard (1...limit).contains(width), (1...limit).contains(height) else {
      throw .pictureSize(width: width, height: height, limit: limit)
    }
    let rates = 1...UInt64(Int32.max)
    guard rates.contains(rateNumerator), rates.contains(rateDenominator) else {
      throw .frameRate(numerator: rateNumerator, denominator: rateDenominator)
    }
    guard !path.isEmpty else {
      throw .file(SystemCallError(call: "open", path: path, errno: ENOENT))
    }
    guard let format = VideoFormat(path: path) else {
      throw .videoFormat(path: path, known: VideoFormat.known)
    }
    self.path = path
    partial = PartialFile.path(for: path)
    let size = format.size(width: width, height: height)
    notice =
      size == (width, height)
      ? nil
      : "\(path): the video has \(size.width)x\(size.height) pixels, its pictures "
        + "\(width)x\(height): a .\(format.rawValue) needs even sides, and gets black at the edge"
    frameBytes = width * height * 4
    stream = MatroskaStream(width: width, height: height)
    self.stallSeconds = stallSeconds
    self.finishSeconds = finishSeconds
    nextPollNs = Clock.monotonicNs() + Self.pollNs
    file = try Self.create(partial, for: path)
    PartialFile.begin(partial)
    do throws(SystemCallError) {
      identity = try FileIdentity(of: file, path: path)
    } catch {
      throw .file(error)
    }
    do throws(RenderError) {
      encoder = try Self.encoder(
        program, format, rate: (rateNumerator, rateDenominator), writing: file)
    } catch {
      unlink(partial)
      throw error
    }
  }

  /// Starts an encoder that writes its video to the file, which is its standard output.
  private static func encoder(
    _ program: String, _ format: VideoFormat, rate: (UInt64, UInt64),
    writing file: borrowing FileDescriptor
  ) throws(RenderError) -> EncoderProcess {
    try EncoderProcess(
      program: program,
      arguments: [
        "-hide_banner", "-loglevel", "level+error", "-xerror", "-nostdin", "-y",
        "-protocol_whitelist", "pipe,file", "-progress", "pipe:2", "-f", "matroska",
        "-i", "pipe:0", "-an",
      ] + format.arguments(rate: rate.0, rate.1)
        + ["-f", format.container, "file:/proc/self/fd/1"],
      output: file.number)
  }

  deinit {
    // Without `finish`, the unfinished file is removed.
    if let encoder {
      encoder.kill()
      unlink(partial)
    }
  }

  /// Hands one frame to the encoder.
  ///
  /// - Parameters:
  ///   - frame: B, G, R, A in rows without gaps, of the size given to the initializer.
  ///   - timeNs: Time at which to show it, later than the frame before. It is shown until the next
  ///     one. The video begins with the first frame.
  /// - Throws: `encoderFailed` if the encoder has died, `encoderStalled` if it reads no bytes for
  ///   `stallSeconds`, `moved` if the file lost its path. The video is then lost, and every later call throws
  ///   the same error.
  package func write(_ frame: UnsafeRawBufferPointer, timeNs: UInt64) throws(RenderError) {
    precondition(frame.count == frameBytes, "frame of \(frame.count) bytes, not \(frameBytes)")
    guard let encoder else { throw lastError ?? .encoderFailed(status: 0, lastLine: "finished") }
    let head = stream.clusterHead(timeNs: timeNs - (startNs ?? timeNs))
    do throws(RenderError) {
      try checkPath(encoder)
      if startNs == nil { try encoder.write(stream.head, stallSeconds: stallSeconds) }
      startNs = startNs ?? timeNs
      try encoder.write(head, stallSeconds: stallSeconds)
      try encoder.write(frame, stallSeconds: stallSeconds)
    } catch {
      throw abandon(error)
    }
  }

  /// Waits until the encoder has completed the video, and renames it to its path.
  ///
  /// - Parameter progress: Called after each progress of the encoder, with the number of pictures encoded.
  /// - Returns: Pictures in the video; nil if the encoder has not said.
  /// - Throws: `encoderFailed`, `encoderStalled` after `finishSeconds` without progress, `moved` if the file lost
  ///   its path, `file` if the video cannot be renamed.
  @discardableResult
  package func finish(progress: (UInt64) -> Void = { _ in }) throws(RenderError) -> UInt64? {
    guard let encoder else { throw lastError ?? .encoderFailed(status: 0, lastLine: "finished") }
    do throws(RenderError) {
      try encoder.finish(limitSeconds: finishSeconds, progress: progress)
      try checkLength(encoder)
      try checkLocation()
      try rename()
    } catch {
      throw abandon(error)
    }
    self.encoder = nil
    return encoder.encodedCount > 0 ? encoder.encodedCount : nil
  }

  /// Checks the path once a second; if the file has lost it, completes the video where it is now, and throws.
  ///
  /// Without a picture there is no video to complete; so the first one is written in any case.
  private func checkPath(_ encoder: EncoderProcess) throws(RenderError) {
    let now = Clock.monotonicNs()
    guard startNs != nil, now >= nextPollNs else { return }
    nextPollNs = now + Self.pollNs
    guard identity.isLost(at: partial) else { return }
    try encoder.finish(limitSeconds: finishSeconds) { _ in }
    try checkLocation()
    try rename()
  }

  /// Throws if the path leads to another file; a file without a path is noticed when it is renamed.
  private func checkLocation() throws(RenderError) {
    guard identity.isLost(at: partial) else { return }
    if let location = identity.location(of: file) { throw .moved(path: path, to: location) }
    guard access(partial, F_OK) == 0 else { return }
    throw .file(SystemCallError(call: "rename", path: path, errno: ENOENT))
  }

  /// Throws unless the file is as long as the encoder has reported, and not empty.
  private func checkLength(_ encoder: EncoderProcess) throws(RenderError) {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return }
    let bytes = UInt64(status.st_size)
    guard bytes > 0 else {
      throw .encoderFailed(status: 0, lastLine: "nothing was written")
    }
    if let wanted = encoder.fileBytes, wanted != bytes {
      throw .encoderFailed(
        status: 0, lastLine: "the file has \(bytes) bytes, \(wanted) were written")
    }
  }

  private func abandon(_ error: RenderError) -> RenderError {
    encoder?.kill()
    encoder = nil
    if !identity.isLost(at: partial) { unlink(partial) }
    lastError = error
    return error
  }

  private func rename() throws(RenderError) {
    do {
      try systemCall("rename", path) { Glibc.rename(partial, path) }
      PartialFile.end(partial)
    } catch {
      throw .file(error)
    }
  }

  /// Creates the file that the encoder writes, before any frame is encoded.
  private static func create(
    _ partial: String, for path: String
  ) throws(RenderError) -> FileDescriptor {
    do throws(SystemCallError) {
      var existing = stat()
      if stat(path, &existing) == 0, existing.st_mode & S_IFMT == S_IFDIR {
        throw SystemCallError(call: "rename", path: path, errno: EISDIR)
      }
      // Readable as well: the encoder moves what it has written.
      let flags = O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
      return FileDescriptor(owning: try systemCall("open", path) { open(partial, flags, 0o666) })
    } catch {
      throw .file(error)
    }
  }
}
