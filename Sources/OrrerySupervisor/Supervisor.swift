// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Starts the programs of a run, passes stop signals on, and waits until every one has ended.
///
/// The sim ends first, by itself or by SIGTERM. The subscribers then read the remaining frames,
/// finish their files and end by themselves.
///
/// After the first stop signal a program goes on as long as it gives signs of life. One that hangs
/// gets SIGTERM and then SIGKILL, so that the run is over 15 s after the signal. The second stop
/// signal ends all programs within two seconds, the third at once; see `EndLimits`.
package struct Supervisor {
  private var display: ProgressDisplay

  /// Programs that are started once the sim has taken the run's name.
  private var pending: [ChildCommand] = []
  private var children: [Child] = []
  private var outcome = RunOutcome()
  private var hasBegun = false
  private var passedSignals = 0

  /// When the first and the second stop signal came; nil before.
  private var firstSignalNs: UInt64?
  private var secondSignalNs: UInt64?

  /// Whether the programs got their last SIGTERM after the second stop signal.
  private var hasAskedAgain = false

  /// When the sim ended; nil while it runs.
  private var simEndedNs: UInt64?

  /// When the children's states were looked at last, and when the last message was written of whom
  /// the run waits for.
  private var polledNs: UInt64 = 0
  private var notedNs: UInt64 = 0

  /// Children that were named as stuck.
  private var stuckNames: [String] = []

  private let limits: EndLimits
  private let stopSignalCount: () -> Int

  /// The keys of the terminal, and what they do; nil: no keys are read.
  private let keyboard: Keyboard?
  private let steering: (any Steering)?

  /// Stop signals by a key: at most the first.
  private var typedStops = 0

  /// Time between two polls of the children's states.
  private static let pollNs: UInt64 = 250_000_000

  /// Time without a line after which a subscriber counts as stuck: it writes four a second.
  private static let stuckNs: UInt64 = 3_000_000_000

  /// Time between two messages of whom the run waits for.
  private static let noteNs: UInt64 = 5_000_000_000

  /// Creates a supervisor that has started nothing yet.
  ///
  /// - Parameters:
  ///   - display: Where progress is shown.
  ///   - limits: How long to wait for programs that are to end.
  ///   - stopSignalCount: Returns the count of stop signals received.
  ///   - keyboard: The keys of the terminal; nil: none are read.
  ///   - steering: What keys do.
  package init(
    display: ProgressDisplay, limits: EndLimits = EndLimits(),
    stopSignalCount: @escaping () -> Int = { StopSignals.count }, keyboard: Keyboard? = nil,
    steering: (any Steering)? = nil
  ) {
    (self.display, self.limits, self.stopSignalCount) = (display, limits, stopSignalCount)
    (self.keyboard, self.steering) = (keyboard, steering)
  }

  /// Runs the programs to their end.
  ///
  /// - Parameter commands: The programs to start, the sim first.
  /// - Returns: Their reports and failures.
  /// - Throws: `Failure` if one cannot be started; the others have ended by then.
  package mutating func run(_ commands: [ChildCommand]) throws(Failure) -> RunOutcome {
    defer { display.close() }
    pending = commands.filter(\.waitsForSim)
    try start(commands.filter { !$0.waitsForSim })
    while isRunning || !pending.isEmpty {
      waitForEvents()
      readKeys()
      try startPending()
      passStopSignals()
      endUnneeded()
      endStragglers()
      endHanging()
      endAll()
      showWaiting()
    }
    outcome.findLostOutputs()
    return outcome
  }

  private var isRunning: Bool { children.contains { $0.status == nil } }

  // MARK: - Starting

  private mutating func start(_ commands: [ChildCommand]) throws(Failure) {
    for command in commands {
      do throws(Failure) {
        children.append(try Child(command))
      } catch {
        signalAll(SIGTERM)
        while isRunning { waitForEvents() }
        throw error
      }
    }
  }

  /// Starts the subscribers when the sim has taken the run's name.
  ///
  /// Earlier they could join another run of that name; later they would get ready after the sim, not
  /// beside it.
  private mutating func startPending() throws(Failure) {
    guard !pending.isEmpty else { return }
    guard simEndedNs == nil, passedSignals == 0, outcome.ends.isEmpty else {
      for command in pending { recordNotMade(command.outputs, by: command.name, joined: false) }
      pending = []
      return
    }
    guard children.first?.work != nil else { return }
    let commands = pending
    pending = []
    try start(commands)
  }

  // MARK: - Reading

  /// Reads the programs' output and records the ones that have ended.
  private mutating func waitForEvents() {
    let open = children.filter { $0.status == nil }
    var polled = open.map { pollfd(fd: $0.output.number, events: Int16(POLLIN), revents: 0) }
    // A key ends the sleep; `poll` ignores -1.
    polled.append(pollfd(fd: keyboard?.polled ?? -1, events: Int16(POLLIN), revents: 0))
    if poll(&polled, nfds_t(polled.count), 50) > 0 {
      if let last = polled.last, last.revents & Int16(POLLHUP | POLLERR) != 0 { keyboard?.end() }
      for (child, events) in zip(open, polled) where events.revents != 0 {
        var lines: [String] = []
        if !child.readLines({ lines.append($0) }) { usleep(1000) }
        for line in lines { take(line, from: child) }
      }
    }
    for child in open {
      child.reap()
      if child.status != nil { recordEnd(of: child) }
    }
  }

  /// Does what keys mean; the sim's answers are shown when they come.
  private mutating func readKeys() {
    for key in keyboard?.read() ?? [] {
      if key == .end {
        typedStops = 1
      } else if hasBegun, simEndedNs == nil {
        steering?.press(key)
      }
    }
    if let notice = steering?.takeNotice() { display.notice(notice) }
  }

  private mutating func take(_ line: String, from child: Child) {
    if let work: WorkReport = ReportLine.decode(line) {
      child.take(work)
      if child.name != "sim" { display.take(work) }
    } else if child.name == "sim" {
      if let report: SimReport = ReportLine.decode(line) {
        outcome.sim = report
      } else if let progress: ProgressReport = ReportLine.decode(line) {
        hasBegun = true
        display.show(progress)
      }
    } else if let note: NoteReport = ReportLine.decode(line) {
      display.note(note.text)
    } else if let report: SubscriberReportMessage = ReportLine.decode(line) {
      outcome.subscribers.append(report)
    }
  }

  private mutating func recordEnd(of child: Child) {
    var lines: [String] = []
    while child.readLines({ lines.append($0) }) {}
    for line in lines { take(line, from: child) }
    if child.name == "sim" { simEndedNs = Clock.monotonicNs() }
    outcome.processorSeconds[child.name] = child.processorSeconds
    if child.name == "sim", case .killed = child.status { outcome.hasKilledSim = true }
    guard let status = child.status, !child.endedAsAsked else {
      let report = outcome.subscribers.last { $0.program == child.name }
      // A set of files has other names than the one that was asked for.
      let isSet = child.outputs.paths.count == 1 && report?.files.isEmpty == false
      // A program that was ended at its start may have begun with one.
      let begun =
        child.status == .exited(0) ? [] : child.outputs.clean(after: child.processID).incomplete
      outcome.incompleteOutputs += begun
      let missing = child.outputs.paths.filter {
        report?.files.contains($0) != true && !begun.contains($0)
      }
      if !isSet { recordNotMade(missing, by: child.name, joined: report != nil) }
      return
    }
    recordIncompleteOutputs(of: child, status)
    // The second stop signal ends every program: their exit statuses are no failures of theirs.
    if passedSignals >= 2 { return }
    outcome.ends.append(ChildEnd(name: child.name, status: status, reason: child.killReason))
    // If the run has not begun, end it: one of its programs is missing.
    if !hasBegun { signalAll(SIGTERM) }
  }

  /// Keeps the outputs of a program that ended in order without them: no frame came, or the run ended
  /// before the program had joined it.
  ///
  /// Where another program has failed, that failure says why.
  private mutating func recordNotMade(_ paths: [String], by name: String, joined: Bool) {
    guard !paths.isEmpty, outcome.ends.isEmpty else { return }
    outcome.notMade += paths
    let reason = joined ? "no frame came" : "no frame, the run ended first"
    display.note("\(name): \(reason); not made: \(paths.joined(separator: ", "))")
  }

  /// Keeps the outputs of a program that could not finish them, and removes their temporary files.
  ///
  /// A program that failed by itself has said so, and what of.
  private mutating func recordIncompleteOutputs(of child: Child, _ status: ChildStatus) {
    switch status {
    case .exited(let code) where code != ExitStatus.interrupted.rawValue && passedSignals < 2:
      return
    case .exited, .killed: break
    }
    let (incomplete, notMade) = child.outputs.clean(after: child.processID)
    outcome.incompleteOutputs += incomplete
    outcome.notMade += notMade
  }

  // MARK: - Ending

  /// The first stop signal ends the sim, the second every program, the third kills them.
  private mutating func passStopSignals() {
    while passedSignals < stopSignalCount() + typedStops {
      passedSignals += 1
      switch passedSignals {
      case 1:
        firstSignalNs = Clock.monotonicNs()
        children.first?.signal(SIGTERM)
        noteFirstSignal()
      case 2:
        secondSignalNs = Clock.monotonicNs()
        outcome.isInterrupted = true
        signalAll(SIGTERM)
      default: signalAll(SIGKILL)
      }
      if !hasBegun { signalAll(SIGTERM) }
    }
  }

  private mutating func noteFirstSignal() {
    notedNs = Clock.monotonicNs()
    let names = children.filter { $0.status == nil }.map(\.name).joined(separator: ", ")
    guard !names.isEmpty else { return }
    display.note("ending the run; waiting for \(names); Ctrl-C ends all at once")
  }

  /// After the sim's end: ends subscribers that wait for its run.
  private func endUnneeded() {
    guard simEndedNs != nil else { return }
    for child in children where child.status == nil && !child.wasAsked && child.waitsForRun {
      child.signal(SIGTERM)
    }
  }

  private func endStragglers() {
    guard let simEndedNs else { return }
    let now = Clock.monotonicNs()
    for child in children where child.status == nil {
      let starvedNs = min(child.starvedSinceProgressNs, limits.finishStarvedNs)
      let waited = now - min(max(simEndedNs, child.progressNs) + starvedNs, now)
      if waited > 2 * limits.finishNs {
        child.signal(SIGKILL)
      } else if waited > limits.finishNs, !child.wasAsked {
        // Once: the second would end it before its files are whole.
        child.signal(SIGTERM)
      }
    }
  }

  /// After the first stop signal: ends programs that give no sign of life.
  private func endHanging() {
    guard let firstSignalNs, passedSignals == 1 else { return }
    let now = Clock.monotonicNs()
    for child in children where child.status == nil {
      let isSim = child === children.first
      var aliveNs = max(firstSignalNs, child.stoppedNs ?? child.lineNs)
      var (limitNs, starvedNs) = (limits.silentNs, child.starvedNs)
      if isSim, child.stoppedNs == nil {
        // It may wait for subscribers that read the last frames, without a word.
        aliveNs = children.reduce(aliveNs) { max($0, $1.progressNs) }
        starvedNs = children.reduce(starvedNs) { max($0, $1.starvedNs) }
        limitNs = limits.simSilentNs
      }
      limitNs += min(starvedNs, limits.starvedNs)
      guard now >= aliveNs + limitNs else {
        child.askedNs = nil
        continue
      }
      let askedNs = child.askedNs ?? now
      if child.askedNs == nil {
        child.askedNs = now
        child.signal(SIGTERM)
      }
      // The sim got its SIGTERM at first, and has no files to finish. One that was killed, and whose end is not known yet,
      // is not stopped any more: its reason stays.
      if child.killReason == nil, isSim || now >= askedNs + limits.graceNs {
        child.killReason =
          child.stoppedNs != nil
          ? "was stopped and was killed"
          : "gave no sign of life for \((now - aliveNs) / 1_000_000_000) s and was killed"
        child.signal(SIGKILL)
      }
    }
  }

  /// After the second stop signal: ends all programs.
  private mutating func endAll() {
    guard let secondSignalNs else { return }
    let waited = Clock.monotonicNs() - secondSignalNs
    if waited >= limits.killNs {
      signalAll(SIGKILL)
    } else if waited >= limits.againNs, !hasAskedAgain {
      hasAskedAgain = true
      signalAll(SIGTERM)
    }
  }

  private func signalAll(_ number: CInt) {
    for child in children { child.signal(number) }
  }

  // MARK: - Naming

  /// Names the programs that hold up the run's end, and those that are stuck.
  private mutating func showWaiting() {
    let now = Clock.monotonicNs()
    guard now >= polledNs + Self.pollNs else { return }
    polledNs = now
    let running = children.filter { $0.status == nil }
    for child in running { child.lookAtState(nowNs: now) }
    let stuck = running.filter { isStuck($0, nowNs: now) }
    noteStuck(stuck)
    let endNs = firstSignalNs ?? simEndedNs
    let waitedFor = endNs == nil ? stuck : running
    if !hasBegun, endNs == nil { display.prepare() }
    display.wait(
      for: waitedFor.map { child in
        let sinceNs = endNs ?? child.stoppedNs ?? child.lineNs
        return WaitedProgram(
          program: child.name, seconds: Double(now - min(sinceNs, now)) / 1e9,
          isStopped: child.stoppedNs != nil, remainder: child.work?.remainder)
      })
    // Where no line is rewritten, a message now and then: somebody waits for the end.
    guard firstSignalNs != nil, !display.isLine, !waitedFor.isEmpty else { return }
    guard now >= notedNs + Self.noteNs else { return }
    notedNs = now
    display.note(display.waitingText)
  }

  /// Whether a child is stopped, or a subscriber that reports its work has fallen silent.
  ///
  /// A sim falls silent whenever it is paused or waits for subscribers.
  private func isStuck(_ child: Child, nowNs: UInt64) -> Bool {
    if child.stoppedNs != nil { return true }
    // It will find that the run has ended.
    if simEndedNs != nil, child.work?.phase == .preparing { return false }
    return child !== children.first && child.work != nil
      && nowNs > child.lineNs + Self.stuckNs + child.starvedNs
  }

  /// Writes a message when a child gets stuck and when it goes on.
  private mutating func noteStuck(_ stuck: [Child]) {
    let names = stuck.map(\.name)
    for child in stuck where !stuckNames.contains(child.name) {
      let state = child.stoppedNs != nil ? "is stopped" : "gives no sign of life"
      display.note("\(child.name) (pid \(child.processID)) \(state)")
    }
    let running = children.filter { $0.status == nil && $0.killReason == nil }.map(\.name)
    for name in stuckNames where !names.contains(name) && running.contains(name) {
      display.note("\(name) goes on")
    }
    stuckNames = names
  }
}
