// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// All rows of `bench transport`.
package struct TransportRows {
  private let tools: any TransportPrograms
  private let isShort: Bool

  /// Bytes of Orrery's frames that spinning readers wait for.
  package static let spinBytes = [64, 4 << 10, 64 << 10, 1 << 20, 16 << 20]

  /// Bytes of messages at which iceoryx is compared.
  package static let peerBytes = [64, 4 << 10, 1 << 20]

  /// Bytes of frames for another machine.
  package static let remoteBytes = [4 << 10, 256 << 10, 4 << 20, 16 << 20]

  /// Bytes of frames whose publishing is timed.
  package static let costBytes = [4 << 10, 1 << 20, 16 << 20]

  /// Slots of the compared rings.
  private static let slotCount = 64

  /// Slots for frames of this size: at most 32 MiB together, so that they are stored through the
  /// caches as the peers' are, but at least 12.
  private static func slotCount(_ bytes: Int) -> UInt64 {
    UInt64(min(slotCount, max((32 << 20) / bytes, 12)))
  }

  /// Pause between two messages for a spinning reader.
  private static let spinPauseNs: UInt64 = 2000

  /// Pause between two messages for a reader that sleeps.
  private static let wakePauseNs: UInt64 = 200_000

  /// Creates rows for the programs that the tools have.
  package init(_ tools: any TransportPrograms, isShort: Bool) {
    (self.tools, self.isShort) = (tools, isShort)
  }

  /// The rows of a group; rows whose programs are missing are left out.
  package func rows(of group: TransportRow.Group) -> [TransportRow] {
    switch group {
    case .spin: spin
    case .wake: wake
    case .rate: rate
    case .remote: remote
    case .cost: cost
    }
  }

  /// A round of `count` messages; a twentieth of them in a short run.
  private func request(_ count: Int, pauseNs: UInt64 = 0) -> HandoverRequest {
    HandoverRequest(count: UInt64(isShort ? max(count / 20, 20) : count), pauseNs: pauseNs)
  }

  /// Messages of a round; fewer if filling one takes longer than a pause.
  private func spinCount(_ bytes: Int) -> Int { min(20_000, max((256 << 20) / bytes, 100)) }

  private func row(
    _ key: String, _ group: TransportRow.Group, _ subject: StudyRow.Subject,
    _ way: HandoverWay, _ name: String, bytes: Int, readers: Int = 1,
    _ launch: HandoverProgram.Launch?, _ request: HandoverRequest
  ) -> [TransportRow] {
    launch.map {
      [
        TransportRow(
          key, group, subject, way, name, bytes: bytes, readers: readers, launch: $0,
          request: request)
      ]
    } ?? []
  }

  /// One of Orrery's rows: this program, in processes of their own.
  private func ours(
    _ key: String, _ group: TransportRow.Group, _ name: String, _ task: HandoverTask,
    _ request: HandoverRequest
  ) -> [TransportRow] {
    row(
      key, group, .ours, task.way, "Orrery, " + name, bytes: task.frameBytes,
      readers: task.readerCount,
      .init(
        path: StartedProgram.bench, arguments: ["transport-part", task.text],
        folder: tools.folder.path),
      request)
  }
}

// MARK: - Latencies

extension TransportRows {
  private var spin: [TransportRow] {
    let few = request(20_000, pauseNs: Self.spinPauseNs)
    var rows: [TransportRow] = []
    for way in [HandoverWay.line, .swapped] {
      rows += row(
        way.rawValue, .spin, .limit, way, way.label, bytes: 64,
        tools.program("wakes", way.rawValue), few)
    }
    for subscribes in [false, true] {
      for bytes in Self.spinBytes {
        var task = HandoverTask(.latency, frameBytes: bytes)
        task.slotCount = Self.slotCount(bytes)
        task.subscribes = subscribes
        rows += ours(
          "spin/\(subscribes ? "subscription" : "reader")/\(bytes)", .spin,
          "\(subscribes ? "subscription" : "reader"), \(TextTable.size(bytes))", task,
          request(spinCount(bytes), pauseNs: Self.spinPauseNs))
      }
    }
    for bytes in Self.peerBytes {
      rows += row(
        "iceoryx/\(bytes)", .spin, .peer, .spin, "iceoryx 2.0.3, \(TextTable.size(bytes))",
        bytes: bytes, tools.program("iceoryx", "spin", "\(bytes)"),
        request(min(spinCount(bytes), 10_000), pauseNs: Self.spinPauseNs))
    }
    // Python takes longer to get ready for the next message than to hand it over.
    let python = request(4000, pauseNs: 10 * Self.spinPauseNs)
    rows += row(
      "python", .spin, .limit, .line, "\(HandoverWay.line.label), in Python", bytes: 64,
      tools.iceoryx2("line", "64"), python)
    for bytes in Self.peerBytes {
      rows += row(
        "iceoryx2/\(bytes)", .spin, .peer, .spin, "iceoryx2, Python, \(TextTable.size(bytes))",
        bytes: bytes, tools.iceoryx2("spin", "\(bytes)"),
        bytes > 1 << 16 ? request(400, pauseNs: 10 * Self.spinPauseNs) : python)
    }
    return rows
  }

  private var wake: [TransportRow] {
    let paced = request(1000, pauseNs: Self.wakePauseNs)
    var rows: [TransportRow] = []
    for way in [HandoverWay.futex, .eventfd, .pipe, .socket] {
      rows += row(
        way.rawValue, .wake, .limit, way, way.label, bytes: 8,
        tools.program("wakes", way.rawValue), paced)
    }
    for (key, name, endpoint) in [
      ("ipc", "ipc", "ipc://\(tools.folder.path)/zeromq-"), ("tcp", "tcp", "tcp://127.0.0.1:*"),
    ] {
      rows += row(
        "zeromq/\(key)", .wake, .limit, .request,
        "libzmq \(HandoverWay.request.label), \(name), half", bytes: 64,
        tools.program("zeromq", "latency", endpoint, "64"), request(2000))
      rows += row(
        "zeromq-paced/\(key)", .wake, .limit, .pair,
        "libzmq \(HandoverWay.pair.label), \(name), paced", bytes: 64,
        tools.program("zeromq", "paced", endpoint, "64"), paced)
    }
    for waiting in [HandoverTask.Wait.futex, .announcement] {
      for subscribes in waiting == .futex ? [false, true] : [true] {
        var task = HandoverTask(.latency, frameBytes: 4 << 10)
        task.waiting = waiting
        task.subscribes = subscribes
        let who = subscribes ? "subscription" : "reader"
        rows += ours(
          "\(waiting)/\(who)", .wake, "\(who), \(task.way.label), 4 KiB", task, paced)
      }
    }
    for bytes in Self.peerBytes {
      rows += row(
        "iceoryx-waitset/\(bytes)", .wake, .peer, .waitset,
        "iceoryx 2.0.3 \(HandoverWay.waitset.label), \(TextTable.size(bytes))", bytes: bytes,
        tools.program("iceoryx", HandoverWay.waitset.rawValue, "\(bytes)"), paced)
    }
    rows += row(
      "iceoryx2-listener", .wake, .peer, .listener,
      "iceoryx2 \(HandoverWay.listener.label), Python, 64 B", bytes: 64,
      tools.iceoryx2(HandoverWay.listener.rawValue, "64"), paced)
    return rows
  }
}

// MARK: - Rates

extension TransportRows {
  private var rate: [TransportRow] {
    var rows: [TransportRow] = []
    for (isFree, copies) in [(false, false), (false, true), (true, true)] {
      for readers in [1, 3] {
        let many = request(copies || readers > 1 ? 200_000 : 1_000_000)
        let kind = copies ? "copied" : "handed", pace = isFree ? "free" : "window"
        let way = HandoverWay(copies: copies, isFree: isFree)
        let name = "\(way.label), \(readers) reading" + (way.isFree ? ", free" : "")
        rows += row(
          "ring/\(kind)/\(pace)/\(readers)", .rate, .limit, way, "bare ring, " + name,
          bytes: 4 << 10, readers: readers,
          tools.program("ring", kind, pace, "\(readers)", "\(4 << 10)", "\(Self.slotCount)"), many)
        var task = HandoverTask(.rate, frameBytes: 4 << 10)
        (task.readerCount, task.copies, task.isFree) = (readers, copies, isFree)
        rows += ours("rate/\(kind)/\(pace)/\(readers)", .rate, name, task, many)
      }
    }
    return rows
  }

  private var remote: [TransportRow] {
    var rows: [TransportRow] = []
    for bytes in Self.remoteBytes {
      let count = request(min((1 << 30) / bytes, 100_000))
      for (kind, way) in [("throughput", HandoverWay.push), ("inplace", .pushInPlace)] {
        rows += row(
          "\(kind)/\(bytes)", .remote, .limit, way, "libzmq \(way.label), \(TextTable.size(bytes))",
          bytes: bytes,
          tools.program("zeromq", kind, "tcp://127.0.0.1:*", "\(bytes)"), count)
      }
      var task = HandoverTask(.remote, frameBytes: bytes)
      // The slot count of a sim's ring.
      task.slotCount = UInt64(min(max((64 << 20) / bytes, 12), 1024))
      task.subscribes = true
      rows += ours("remote/\(bytes)", .remote, "every frame, \(TextTable.size(bytes))", task, count)
    }
    return rows
  }

  private var cost: [TransportRow] {
    var rows: [TransportRow] = []
    for bytes in Self.costBytes {
      for (waiting, readers) in [
        (HandoverTask.Wait.spin, 0), (.spin, 3), (.futex, 1), (.futex, 3), (.announcement, 3),
      ] {
        for isPaced in [true, false] {
          var task = HandoverTask(.cost, frameBytes: bytes)
          task.slotCount = Self.slotCount(bytes)
          (task.waiting, task.readerCount, task.isFree) = (waiting, readers, true)
          task.subscribes = true
          let who = readers == 0 ? "nobody" : "\(readers) by \(task.way.label)"
          let pauseNs: UInt64 = isPaced ? 1_000_000 : 0
          rows += ours(
            "cost/\(bytes)/\(waiting)/\(readers)/\(isPaced ? "paced" : "unpaced")", .cost,
            "\(TextTable.size(bytes)), \(who)\(isPaced ? "" : ", unpaced")", task,
            request(isPaced ? 200 : min(spinCount(bytes), 5000), pauseNs: pauseNs))
        }
      }
    }
    return rows
  }
}
