// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

extension FalseRun {
  /// The error of a request that may wait for an hour.
  fileprivate func error() throws -> WireError? {
    try address.errorOfLongRequest("the word that nobody answers")
  }

  /// What another thread finds while something is done to the run.
  fileprivate func find<Value: Sendable>(
    _ what: String, _ ask: @escaping @Sendable () throws -> Value, while change: () throws -> Void
  ) throws -> Value {
    let found = Monitor<Value?>(nil)
    let asking = try TestThread(what) {
      let value = try ask()
      found.change { $0 = value }
    }
    try change()
    try asking.join()
    return try #require(found.read { $0 })
  }
}

/// Goal: a run that cannot answer is told from one that is only slow, with a word of its own, long before the time for the answer is over.
///
/// Method: requests that may take an hour, to a lock that a child has signed, and to addresses with and without keys; the error says how the wait ended.
@Suite struct ControlRunStateTests {
  @Test func runThatIsNotThereIsNotWaitedFor() throws {
    let base = try TemporaryBase()
    let address = WireAddress.run(try RunDirectory(name: "nobody", base: base.path))
    let error = try address.errorOfLongRequest("the word that there is none")
    #expect(error == .noRun(name: "nobody", waitedSeconds: 0))
    #expect(throws: WireError.noRun(name: "nobody", waitedSeconds: 0)) {
      try address.checkIsThere()
    }
  }

  @Test func deadRunIsNotWaitedFor() throws {
    let run = try FalseRun()
    run.release()
    let error = try run.error()
    #expect(
      error
        == .runDied(name: "test", owner: "pid \(run.child.processID), user \(geteuid())"))
  }

  @Test func runThatDiesMeanwhileIsNotWaitedForAnyLonger() throws {
    let run = try FalseRun()
    let (address, what) = (run.address, "the word that it died")
    let error = try run.find(what) {
      try address.errorOfLongRequest(what)
    } while: {
      try address.checkIsThere()
      run.release()
    }
    guard case .runDied("test", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func stoppedRunIsNotWaitedFor() throws {
    let run = try FalseRun()
    run.child.signal(SIGSTOP)
    try waitUntil("the child to be stopped") {
      ProcessState(of: run.child.processID)?.isStopped == true
    }
    let expected = WireError.runStopped(name: "test", processID: run.child.processID)
    #expect(try run.error() == expected)
    #expect(throws: expected) { try run.address.checkIsThere() }
  }

  /// A sim that starts has no socket for a moment, and one that computes a long tick answers late.
  @Test func runThatIsAliveIsWaitedFor() throws {
    let run = try FalseRun()
    let address = run.address
    #expect(throws: WireError.noAnswer(endpoint: address.endpoint, waitedSeconds: 0.3)) {
      try ControlClient(address).ask(.stats, timeoutSeconds: 0.3)
    }
  }

  /// As `quit` is answered, which ends the run.
  @Test func answerOfARunThatHasEndedIsHeard() throws {
    let run = try FalseRun()
    let address = run.address
    let answer = try run.find("the last answer") {
      try ControlClient(address).ask(.quit, timeoutSeconds: 3600).fields
    } while: {
      try run.endAndAnswer(["id": .integer(1), "ok": .bool(true)])
    }
    #expect(answer["id"] == .integer(1))
  }

  @Test func runThatEndsWithoutAnAnswerIsNotWaitedFor() throws {
    let run = try FalseRun()
    let (address, what) = (run.address, "the word that it ended")
    let error = try run.find(what) {
      try address.errorOfLongRequest(what)
    } while: {
      try run.endAndAnswer(nil)
    }
    #expect(error == .runEnded(name: "test"))
  }

  @Test func lockThatCannotBeOpenedIsNamed() throws {
    let base = try TemporaryBase()
    let directory = try RunDirectory(name: "test", base: base.path)
    mkdir(directory.path, 0o700)
    symlink("/dev/null", directory.lockPath)
    #expect(throws: WireError.directory(.notALock(path: directory.lockPath))) {
      try WireAddress.run(directory).checkIsThere()
    }
  }

  // MARK: - Keys

  @Test func missingKeysAreNamedAtOnce() throws {
    let base = try TemporaryBase()
    _ = try CurveKeys.generate(directory: base.path + "/keys", client: "client", overwrites: false)
    let run = try ServedRun(keys: .server(directory: base.path + "/keys"))
    let address = try run.address()
    let error = try address.errorOfLongRequest("the word that keys are needed")
    #expect(error == .keysDiffer(endpoint: address.endpoint, hasKeys: false))
    #expect(error.map { Failure($0).status } == .notPermitted)
  }

  @Test func needlessKeysAreNamedAtOnce() throws {
    let base = try TemporaryBase()
    _ = try CurveKeys.generate(directory: base.path + "/keys", client: "client", overwrites: false)
    let run = try ServedRun()
    let address = try run.address(keys: .client(directory: base.path + "/keys"))
    let error = try address.errorOfLongRequest("the word that no keys are used")
    #expect(error == .keysDiffer(endpoint: address.endpoint, hasKeys: true))
  }

  @Test func unknownKeyIsNamedAtOnce() throws {
    let base = try TemporaryBase()
    let (own, other) = (base.path + "/own", base.path + "/other")
    for path in [own, other] {
      _ = try CurveKeys.generate(directory: path, client: "client", overwrites: false)
    }
    try FileManager.default.removeItem(atPath: other + "/server.pub")
    try FileManager.default.copyItem(atPath: own + "/server.pub", toPath: other + "/server.pub")
    let run = try ServedRun(keys: .server(directory: own))
    let address = try run.address(keys: .client(directory: other))
    let error = try address.errorOfLongRequest("the word that the key is unknown")
    #expect(error == .notAllowed(endpoint: address.endpoint))
  }
}
