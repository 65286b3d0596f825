// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Writes pictures as an H.264 video, through an encoder program in a process of its own.
///
/// The encoder writes a new file beside the path, which is renamed once the encoder has succeeded.
/// An encoder that is missing, dies or stops reading is an error, never a hang and never a signal.
/// If this process dies, the encoder reads the end of its input, completes the file under its
/// temporary name, and ends.
package final class VideoWriter {
  /// Time without a byte read after which the encoder counts as stalled.
  package static let stallSeconds = 10.0

  /// Time for the encoder to complete the file: it copies the whole file once.
  package static let finishSeconds = 120.0

  private let path: String

  /// Path of the file that the encoder writes.
  private let partial: String

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
  ///   - path: The video; its extension chooses the container (.mp4, .mkv, .mov). An existing file
  ///     is replaced.
  ///   - width: Pixels in a row of each frame, 1 to `ScenePainter.sideMax`.
  ///   - height: Rows of each frame, 1 to `ScenePainter.sideMax`. Odd sizes are padded by
  ///     a pixel, because the encoder stores one colour for two by two pixels.
  ///   - rateNumerator: Numerator of the maximum frame rate in Hz; times are rounded to it.
  ///   - rateDenominator: Denominator of the maximum frame rate.
  ///   - program: The encoder, found by PATH.
  ///   - stallSeconds: Limit for one frame, from the last byte that the encoder read.
  ///   - finishSeconds: Limit for completing the file.
  /// - Throws: `pictureSize`, `frameRate`, `encoderMissing`, `file`.
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
    self.path = path
    partial = Self.partialPath(of: path)
    frameBytes = width * height * 4
    stream = MatroskaStream(width: width, height: height)
    self.stallSeconds = stallSeconds
    self.finishSeconds = finishSeconds
    try Self.checkFolder(of: path, partial: partial)
    // With "file:", a name that begins with a dash or holds a colon is still a file.
    encoder = try EncoderProcess(
      program: program,
      arguments: [
        "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-protocol_whitelist", "pipe,file",
        "-f", "matroska", "-i", "pipe:0", "-an",
        "-r", "\(rateNumerator)/\(rateDenominator)", "-fps_mode", "vfr",
        "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-preset", "veryfast",
        "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "file:\(partial)",
      ])
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
  ///   `stallSeconds`. The video is then lost, and every later call throws the same error.
  package func write(_ frame: UnsafeRawBufferPointer, timeNs: UInt64) throws(RenderError) {
    precondition(frame.count == frameBytes, "frame of \(frame.count) bytes, not \(frameBytes)")
    guard let encoder else { throw lastError ?? .encoderFailed(status: 0, lastLine: "finished") }
    let head = stream.clusterHead(timeNs: timeNs - (startNs ?? timeNs))
    do throws(RenderError) {
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
  /// - Throws: `encoderFailed`, `encoderStalled` after `finishSeconds`, `file` if the video cannot
  ///   be renamed.
  package func finish() throws(RenderError) {
    guard let encoder else { throw lastError ?? .encoderFailed(status: 0, lastLine: "finished") }
    do {
      try encoder.finish(limitSeconds: finishSeconds)
      try rename()
    } catch {
      throw abandon(error)
    }
    self.encoder = nil
  }

  private func abandon(_ error: RenderError) -> RenderError {
    encoder?.kill()
    encoder = nil
    unlink(partial)
    lastError = error
    return error
  }

  private func rename() throws(RenderError) {
    do {
      try systemCall("rename", path) { Glibc.rename(partial, path) }
    } catch {
      throw .file(error)
    }
  }

  /// The temporary path; it has the same extension, so the encoder chooses the same container.
  private static func partialPath(of path: String) -> String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return "\(path).\(getpid()).partial"
    }
    return "\(path[..<dot]).\(getpid()).partial\(name[dot...])"
  }

  /// Checks the path before any frame is encoded.
  private static func checkFolder(of path: String, partial: String) throws(RenderError) {
    do throws(SystemCallError) {
      var existing = stat()
      if stat(path, &existing) == 0, existing.st_mode & S_IFMT == S_IFDIR {
        throw SystemCallError(call: "rename", path: path, errno: EISDIR)
      }
      let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC
      close(try systemCall("open", path) { open(partial, flags, 0o666) })
      unlink(partial)
    } catch {
      throw .file(error)
    }
  }
}
