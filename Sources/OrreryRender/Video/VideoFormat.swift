// SPDX-License-Identifier: Apache-2.0

/// A video's container and codec, chosen by the file's extension.
enum VideoFormat: String, CaseIterable {
  case mp4
  case mov
  case mkv
  case webm
  case gif
  case apng

  /// Reads the extension of a path; nil if it is not one of these.
  init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    self.init(rawValue: path[path.index(after: dot)...].lowercased())
  }

  /// The encoder's name of the container.
  var container: String { self == .mkv ? "matroska" : rawValue }

  /// The extensions, in a message.
  static var known: String { allCases.map { ".\($0.rawValue)" }.joined(separator: ", ") }

  /// The size of a video whose pictures have this size: even sides where it needs them.
  func size(width: Int, height: Int) -> (width: Int, height: Int) {
    isYUV ? (width + width % 2, height + height % 2) : (width, height)
  }

  /// Whether colours are stored as luma and chroma, one chroma for two by two pixels.
  private var isYUV: Bool {
    switch self {
    case .mp4, .mov, .mkv, .webm: true
    case .gif, .apng: false
    }
  }

  /// The encoder's arguments between the input and the output file.
  ///
  /// - Parameters:
  ///   - numerator: Numerator of the maximum frame rate in Hz.
  ///   - denominator: Denominator of the maximum frame rate.
  /// - Returns: Rate, filter, codec and the stream's tags for colours.
  func arguments(rate numerator: UInt64, _ denominator: UInt64) -> [String] {
    // A GIF counts hundredths of a second, and players slow down pictures that last only one.
    let isTooFast = self == .gif && numerator > 50 * denominator
    return ["-r", isTooFast ? "50/1" : "\(numerator)/\(denominator)"]
      + ["-fps_mode", "vfr", "-vf", filter] + codec + (isYUV ? Self.tags : [])
      // A failed write is then reported at once, and in the exit status.
      + ["-flush_packets", "1"]
  }

  private var codec: [String] {
    switch self {
    case .mp4, .mov: Self.h264 + ["-movflags", "+faststart"]
    case .mkv: Self.h264
    case .webm:
      [
        "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-row-mt", "1", "-crf",
        "31",
        "-b:v", "0",
      ]
    case .gif: ["-c:v", "gif", "-loop", "0"]
    case .apng: ["-c:v", "apng", "-pix_fmt", "rgb24", "-plays", "0"]
    }
  }

  private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20"]

  /// The filter that converts a picture before it is encoded.
  ///
  /// Players take untagged pictures of 720 rows and more for BT.709, but the encoder's own choice is BT.601.
  /// So all are converted to BT.709 and tagged. A GIF has a palette of its own for each picture: one for all
  /// would have to wait for the last.
  private var filter: String {
    if isYUV {
      return "pad=ceil(iw/2)*2:ceil(ih/2)*2,"
        + "scale=in_range=pc:out_range=tv:out_color_matrix=bt709:"
        + "flags=accurate_rnd+full_chroma_int,format=yuv420p,"
        + "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
    }
    return self == .gif
      ? "split[all][one];[one]palettegen=stats_mode=single:reserve_transparent=0[palette];"
        + "[all][palette]paletteuse=new=1"
      : "null"
  }

  /// Primaries, transfer, matrix and range: the stream's tags.
  private static let tags = [
    "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range",
    "tv",
  ]
}
