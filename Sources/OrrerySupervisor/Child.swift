// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase

/// A program to start, with its arguments.
package struct ChildCommand {
  /// Name of the program.
  package let name: String
  /// Path of the program; nil: the one called `name` in this program's directory.
  package let path: String?
  /// Arguments after the name.
  package let arguments: [String]
  /// Files that it leaves when it has ended in order.
  package let outputs: [String]
  /// Whether it is started only once the sim says that it has taken the run's name.
  package let waitsForSim: Bool

  /// Names a program in this program's directory, or the one at `path`.
  package init(
    name: String, path: String? = nil, arguments: [String], outputs: [String] = [],
    waitsForSim: Bool = false
  ) {
    (self.name, self.path, self.arguments) = (name, path, arguments)
    (self.outputs, self.waitsForSim) = (outputs, waitsForSim)
  }
}

/// A started program: its standard output is read in lines, its standard error is ours.
///
/// Its process group is its own, so Ctrl-C reaches only the supervisor, which ends its children in
/// order. It ends when the supervisor dies.
package final class Child {
  /// Name of the program.
  package let name: String
  /// Files that it leaves when it has ended in order.
  package let outputs: ChildOutputs
  private let process: ChildProcess

  /// Its standard output.
  package let output: FileDescriptor

  /// Nil while it runs.
  package private(set) var status: ChildStatus?

  private var partialLine: [UInt8] = []

  /// What it said last of its work.
  package private(set) var work: WorkReport?

  /// When it wrote a line last, or was started; monotonic nanoseconds.
  package private(set) var lineNs = Clock.monotonicNs()

  /// When its work went on last, as far as it said so.
  package private(set) var progressNs = Clock.monotonicNs()

  /// Since when it is stopped, as by SIGSTOP; nil while it is not.
  package private(set) var stoppedNs: UInt64?

  /// Time since its last line in which it, or a program that it started, could have run, but other programs had the
  /// processors or the disk.
  package private(set) var starvedNs: UInt64 = 0

  /// The same since its work went on last.
  package private(set) var starvedSinceProgressNs: UInt64 = 0

  /// When it was looked at last, and the processor time that it had used by then.
  private var lookedAt: (ns: UInt64, processorTicks: UInt64)?

  /// When it was asked to end since it gave no sign of life; nil if it was not.
  var askedNs: UInt64?

  /// Why it was killed; nil if it was not.
  var killReason: String?

  /// Whether it was asked to end.
  private(set) var wasAsked = false

  /// Starts it.
  ///
  /// - Throws: `Failure` if the program does not exist or cannot be started.
  package init(_ command: ChildCommand) throws(Failure) {
    guard let path = command.path ?? Sibling.path(command.name) else {
      throw Failure(.unavailable, "the program \(command.name) does not stand beside orrery")
    }
    outputs = ChildOutputs(command.outputs)
    do throws(SystemCallError) {
      let pipe = try PipeEnds(path)
      // Half an hour of reports, for a supervisor that is stopped by Ctrl-Z: the run goes on. If the
      // system allows less, it is less.
      _ = linux_set_pipe_room(pipe.writing.number, 1 << 20)
      process = try ChildProcess(
        path, command.arguments, name: command.name,
        environment: ["ORRERY_PARENT": "\(getpid())"], output: .descriptor(pipe.writing.number),
        errors: .shared)
      output = pipe.closingWriter()
    } catch {
      throw Failure(error)
    }
    name = command.name
  }

  /// Its process.
  package var processID: pid_t { process.processID }

  /// Processor time that it and the programs that it started have used, in seconds; nil before its end.
  package var processorSeconds: Double? { process.processorTime?.seconds }

  /// Looks whether it is stopped, or waits for a processor or a disk.
  package func lookAtState(nowNs: UInt64) {
    let state = ProcessState(of: processID)
    stoppedNs = state?.isStopped == true ? stoppedNs ?? nowNs : nil
    guard state != nil else { return }
    // It may wait for a program of its own, such as an encoder, which waits for a processor.
    let tree = ProcessTree(of: processID)
    if let last = lookedAt, tree.isBusy {
      let elapsedNs = nowNs - min(last.ns, nowNs)
      let usedTicks = tree.processorTicks - min(last.processorTicks, tree.processorTicks)
      let unusedNs = elapsedNs - min(usedTicks * ProcessState.nsPerTick, elapsedNs)
      starvedNs += unusedNs
      starvedSinceProgressNs += unusedNs
    }
    lookedAt = (nowNs, tree.processorTicks)
  }

  /// Keeps what it said of its work.
  func take(_ report: WorkReport) {
    if report != work { (progressNs, starvedSinceProgressNs) = (lineNs, 0) }
    work = report
  }

  /// Reads the pending output, and returns whether more may follow.
  ///
  /// - Parameter line: Called with each whole line.
  /// - Returns: False once the program has closed its output.
  package func readLines(_ line: (String) -> Void) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = bytes.withUnsafeMutableBytes { read(output.number, $0.baseAddress, $0.count) }
    if count < 0 { return errno == EINTR || errno == EAGAIN }
    partialLine += bytes[..<count]
    if count > 0 { (lineNs, starvedNs) = (Clock.monotonicNs(), 0) }
    while let end = partialLine.firstIndex(of: UInt8(ascii: "\n")) {
      line(String(decoding: partialLine[..<end], as: UTF8.self))
      partialLine.removeSubrange(...end)
    }
    return count > 0
  }

  /// Whether it waits for a run that it has not found, as far as everything that it wrote says.
  var waitsForRun: Bool {
    guard work?.phase == .waiting else { return false }
    var polled = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 0
  }

  /// Sets `status` if the program has ended; does not wait.
  package func reap() { status = process.status }

  /// Sends a signal to the program if it still runs.
  package func signal(_ number: CInt) {
    if number == SIGTERM { wasAsked = true }
    process.signal(number)
  }

  /// Whether it ended as it was asked to: in order, or before it was ready for signals.
  var endedAsAsked: Bool {
    status == .exited(0) || wasAsked && work == nil && status == .killed(signal: SIGTERM)
  }
}
