// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Glibc
import OrreryBase

/// Why a counters page cannot be read.
package enum CounterFault: Error, Equatable, CustomStringConvertible {
  /// Its process has ended, or is another one that got the same number.
  case gone
  /// Nothing that a process of this version counts in.
  case malformed(path: String, reason: String)

  package var description: String {
    switch self {
    case .gone: "its process has ended"
    case .malformed(let path, let reason): "\(path): no counters page: \(reason)"
    }
  }
}

/// What a process has counted, as of one moment.
package struct CounterReading: Sendable {
  /// The process.
  package let processID: pid_t
  /// When its page was made, by the monotonic clock: with the process it tells pages apart.
  package let startedNs: UInt64
  /// Of the run that is counted; 0 while it is not known.
  package let generation: UInt64
  /// When it was read, by the monotonic clock.
  package let readNs: UInt64
  /// Whether all numbers are of the same moment: not if the process was stopped while it stored them.
  package let isWhole: Bool

  private let facts: [String: String]
  private let numbers: [String: UInt64]
  private let histograms: [String: Histogram]

  /// A fact, such as `run`; without what a terminal would obey.
  package func fact(_ key: String) -> String? { facts[key] }

  /// A counter's number; 0 if this page has no such counter.
  package subscript(_ counter: some CounterName) -> UInt64 { numbers[counter.label] ?? 0 }

  /// The lengths of time that were counted; none if this page has no such counter.
  package func times(_ counter: some CounterName) -> Histogram {
    histograms[counter.label] ?? Histogram()
  }

  /// Reads a page.
  ///
  /// - Parameter path: Its link.
  /// - Throws: `CounterFault`.
  package init(path: String) throws(CounterFault) {
    func malformed(_ reason: String) -> CounterFault { .malformed(path: path, reason: reason) }
    // What is no plain file is not opened: a pipe's other end would notice.
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .gone }
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw .gone }
    let file = FileDescriptor(owning: number)
    guard (Self.bytesMin...Self.bytesMax).contains(UInt64(status.st_size)) else { throw .gone }
    let segment: SharedSegment
    do throws(FrameError) {
      segment = try SharedSegment(reading: file, bytes: UInt64(status.st_size))
    } catch {
      // A file of another process, which got the number of one that has ended.
      throw .gone
    }
    let base = UnsafeRawPointer(segment.base)
    let header = base.load(as: counters_header.self)
    guard header.magic == COUNTERS_MAGIC else { throw .gone }
    guard header.layout_version == COUNTERS_LAYOUT_VERSION else {
      throw malformed("version \(header.layout_version), not \(COUNTERS_LAYOUT_VERSION)")
    }
    guard header.page_bytes == segment.bytes else {
      throw malformed("\(segment.bytes) bytes, not \(header.page_bytes)")
    }
    let linked = path.split(separator: "-").dropLast().last.flatMap { UInt32($0) }
    guard linked == header.process_id, let processID = pid_t(exactly: header.process_id) else {
      throw .gone
    }
    let textEnd = UInt64(COUNTERS_TEXT_OFFSET) + UInt64(header.text_bytes)
    let labelsEnd =
      CounterPage.labelsOffset + Int(header.label_count) * CounterPage.labelBytes
    guard textEnd <= CounterPage.labelsOffset, header.label_count <= Self.labelsMax else {
      throw malformed("\(header.label_count) labels, \(header.text_bytes) bytes of text")
    }
    var labels: [(name: String, kind: CounterKind, offset: Int)] = []
    for index in 0..<Int(header.label_count) {
      let start = base + CounterPage.labelsOffset + index * CounterPage.labelBytes
      let label = start.load(as: counter_label.self)
      let name = Self.text(start, bytes: CounterPage.nameBytes)
      guard let kind = CounterKind(rawValue: label.kind), Int(label.word_count) == kind.wordCount,
        label.offset % 8 == 0, label.offset >= UInt64(labelsEnd), label.offset <= segment.bytes,
        segment.bytes - label.offset >= UInt64(kind.wordCount * 8)
      else {
        throw malformed("counter \(index + 1), '\(name)', is outside of it or of another form")
      }
      labels.append((name, kind, Int(label.offset)))
    }
    self.processID = processID
    startedNs = header.started_ns
    generation = word_load_relaxed(
      (base + CounterPage.generationOffset).assumingMemoryBound(to: UInt64.self))
    facts = Self.facts(
      Self.text(base + Int(COUNTERS_TEXT_OFFSET), bytes: Int(header.text_bytes)))
    (numbers, histograms, isWhole) = Self.values(labels, base)
    readNs = Clock.monotonicNs()
  }

  private static let bytesMin = SegmentMap.pageBytes
  private static let bytesMax: UInt64 = 1 << 20
  private static let labelsMax = 256
}

extension CounterReading {
  private static func values(
    _ labels: [(name: String, kind: CounterKind, offset: Int)], _ base: UnsafeRawPointer
  ) -> (numbers: [String: UInt64], histograms: [String: Histogram], isWhole: Bool) {
    let sequence = (base + CounterPage.sequenceOffset).assumingMemoryBound(to: UInt64.self)
    var (numbers, histograms): ([String: UInt64], [String: Histogram]) = ([:], [:])
    for _ in 0..<attemptsMax {
      let before = word_load_acquire(sequence)
      for label in labels {
        let words = (base + label.offset).assumingMemoryBound(to: UInt64.self)
        if label.kind == .histogram {
          histograms[label.name] = Histogram(
            counts: (0..<Histogram.bucketCount).map { word_load_relaxed(words + 1 + $0) },
            sum: word_load_relaxed(words))
        } else {
          numbers[label.name] = word_load_relaxed(words)
        }
      }
      fence_acquire()
      if before % 2 == 0, word_load_relaxed(sequence) == before {
        return (numbers, histograms, true)
      }
    }
    return (numbers, histograms, false)
  }

  /// Reading takes microseconds, and so does the time between two ticks at the least.
  private static let attemptsMax = 20

  private static func text(_ start: UnsafeRawPointer, bytes: Int) -> String {
    let bytes = UnsafeRawBufferPointer(start: start, count: bytes).prefix { $0 != 0 }
    return String(decoding: bytes, as: UTF8.self).printable(keepsLines: true)
  }

  private static func facts(_ text: String) -> [String: String] {
    text.split(separator: "\n").reduce(into: [:]) { facts, line in
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { facts[String(parts[0])] = String(parts[1]) }
    }
  }
}

extension CounterDirectory {
  /// Reads all pages.
  ///
  /// - Returns: What was read, and why others could not be; processes that have ended are left out.
  /// - Throws: `RunDirectoryError`, as `links` does.
  package func readings() throws(RunDirectoryError) -> (
    readings: [CounterReading], faults: [CounterFault]
  ) {
    var (readings, faults): ([CounterReading], [CounterFault]) = ([], [])
    for name in try links() {
      do throws(CounterFault) {
        readings.append(try CounterReading(path: path + "/" + name))
      } catch {
        if error != .gone { faults.append(error) }
      }
    }
    return (readings, faults)
  }
}
