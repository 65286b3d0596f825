// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Glibc
import OrreryBase

/// What this process counts, in memory that others can read: a page whose bytes CFrameLayout.h describes.
///
/// One thread stores: plain stores of words, without a lock or a system call. Readers come and go unseen, and read the
/// last words also while this process is stopped or hangs. The page is there as long as this object.
package final class CounterPage: @unchecked Sendable {
  private let segment: SharedSegment
  private let file: FileDescriptor
  private let directory: CounterDirectory
  private let link: String

  /// The words of each counter.
  private let words: [UnsafeMutablePointer<UInt64>]
  private let sequence: UnsafeMutablePointer<UInt64>

  /// Makes a page of zeros, and its link.
  ///
  /// - Parameters:
  ///   - counters: The labels.
  ///   - facts: What does not change: keys of letters and words, without line feeds. What has no room is left out.
  ///   - directory: Where the link goes.
  /// - Throws: `FrameError` or `RunDirectoryError`.
  package init<Name: CounterName>(
    _ counters: Name.Type, facts: KeyValuePairs<String, String>,
    in directory: CounterDirectory = CounterDirectory()
  ) throws {
    let labels = Array(Name.allCases)
    var offset = (Self.labelsOffset + labels.count * Self.labelBytes + 63) & ~63
    let offsets = labels.map { label in
      defer { offset += label.kind.wordCount * MemoryLayout<UInt64>.stride }
      return offset
    }
    let bytes = UInt64(offset).roundedUp(toMultipleOf: SegmentMap.pageBytes)
    let file = try SharedSegment.makeFile(bytes: bytes, name: "orrery-counters")
    fchmod(file.number, 0o600)
    segment = try SharedSegment(writing: file, bytes: bytes)
    let base = segment.base
    let text = Self.text(facts)
    var header = counters_header()
    header.magic = COUNTERS_MAGIC
    header.layout_version = UInt32(COUNTERS_LAYOUT_VERSION)
    header.process_id = UInt32(getpid())
    header.page_bytes = bytes
    header.started_ns = Clock.monotonicNs()
    header.label_count = UInt32(labels.count)
    header.text_bytes = UInt32(text.count)
    base.storeBytes(of: header, as: counters_header.self)
    (base + Int(COUNTERS_TEXT_OFFSET)).copyMemory(from: text, byteCount: text.count)
    for (label, offset) in zip(labels, offsets) {
      let start = base + Self.labelsOffset + label.rawValue * Self.labelBytes
      var entry = counter_label()
      (entry.kind, entry.word_count) = (label.kind.rawValue, UInt32(label.kind.wordCount))
      entry.offset = UInt64(offset)
      start.storeBytes(of: entry, as: counter_label.self)
      let name = Array(label.label.utf8)
      precondition(name.count < Self.nameBytes, "counter \(label.label)")
      start.copyMemory(from: name, byteCount: name.count)
    }
    words = offsets.map { (base + $0).assumingMemoryBound(to: UInt64.self) }
    sequence = (base + Self.sequenceOffset).assumingMemoryBound(to: UInt64.self)
    link = try directory.link(to: file.number)
    self.file = file
    self.directory = directory
  }

  deinit { directory.remove(link) }

  static let labelsOffset = Int(COUNTERS_LABELS_OFFSET)
  static let labelBytes = MemoryLayout<counter_label>.stride
  static let nameBytes = 40
  static let generationOffset = 40
  static let sequenceOffset = 64

  private static func text(_ facts: KeyValuePairs<String, String>) -> [UInt8] {
    let room = labelsOffset - Int(COUNTERS_TEXT_OFFSET)
    return facts.reduce(into: []) { text, fact in
      let line = Array("\(fact.key) \(fact.value.replacing("\n", with: " "))\n".utf8)
      if text.count + line.count <= room { text += line }
    }
  }
}

// MARK: - The thread that counts

extension CounterPage {
  /// Stores the number of the run that is counted.
  package func setGeneration(_ generation: UInt64) {
    word_store_relaxed(
      (segment.base + Self.generationOffset).assumingMemoryBound(to: UInt64.self), generation)
  }

  /// Begins to store words that belong together.
  package func begin() {
    word_store_relaxed(sequence, word_load_relaxed(sequence) + 1)
    // The words come after it: pairs with the acquire fence in `CounterReading`.
    fence_release()
  }

  /// Ends it: pairs with the first load in `CounterReading`.
  package func end() { word_store_release(sequence, word_load_relaxed(sequence) + 1) }

  /// Stores a counter's number.
  package func set(_ counter: Int, _ value: UInt64) { word_store_relaxed(words[counter], value) }

  /// Counts a length of time in a histogram.
  package func record(_ counter: Int, ns: UInt64) {
    let histogram = words[counter]
    let bucket = histogram + 1 + Histogram.bucket(ns)
    word_store_relaxed(histogram, word_load_relaxed(histogram) &+ ns)
    word_store_relaxed(bucket, word_load_relaxed(bucket) + 1)
  }
}
