// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import Testing

/// Goal: each error ends a program with the status of docs/reference/exit-codes.md, in one line that has its words.
///
/// Method: a table of all cases.
@Suite struct WireErrorTests {
  private static func system(_ number: CInt) -> KeyError {
    .system(SystemCallError(call: "open", path: "/x", errno: number))
  }

  static let errors: [(error: WireError, status: OrreryBase.ExitStatus, text: String)] = [
    (
      .zeroMQ(call: "zmq_bind", endpoint: "tcp://h:1", errno: EADDRINUSE), .unavailable,
      "tcp://h:1: zmq_bind: Address already in use"
    ),
    (
      .zeroMQ(call: "zmq_bind", endpoint: "ipc:///x", errno: ENOSPC), .inputOutput,
      "ipc:///x: zmq_bind: No space left on device"
    ),
    (
      .zeroMQ(call: "zmq_socket", endpoint: "ipc:///x", errno: EMFILE), .resource,
      "ipc:///x: zmq_socket: Too many open files"
    ),
    (.frame(.hungUp), .unavailable, "the sim hung up before it answered"),
    (
      .frame(.segmentTaken(path: "/x")), .nameTaken, FrameError.segmentTaken(path: "/x").description
    ),
    (
      .noRun(name: "a", waitedSeconds: 2.5), .unavailable,
      "no run named 'a' appeared within 2.5 s; start one with: orrery run SCENE, or orrery sim SCENE --run a"
    ),
    (
      .noRun(name: "a", waitedSeconds: 0), .unavailable,
      "no run named 'a'; start one with: orrery run SCENE, or orrery sim SCENE --run a"
    ),
    (
      .runDied(name: "a", owner: "pid 7, user 1"), .unavailable,
      "run 'a' died: its sim (pid 7, user 1) is gone"
    ),
    (
      .runStopped(name: "a", processID: 7), .unavailable,
      "run 'a' is stopped, by a signal or a debugger (process 7, state T); kill -CONT 7 lets it go on"
    ),
    (.runEnded(name: "a"), .unavailable, "run 'a' ended before it answered"),
    (
      .missingShards(name: "a", count: 4, missing: [0, 2]), .unavailable,
      "run 'a' has 4 shards; missing: 0, 2"
    ),
    (
      .missingShards(name: "a", count: 12, missing: Array(0..<10)), .unavailable,
      "run 'a' has 12 shards; missing: 0, 1, 2, 3, 4, 5, 6, 7 and 2 more"
    ),
    (.sameShard(name: "a", shard: 1), .usage, "two addresses are of shard 1 of run 'a'"),
    (
      .notAShard(endpoint: "tcp://h:1"), .usage,
      "tcp://h:1: the run there is no shard; only shards of one run are followed together"
    ),
    (
      .shardNotServed(run: "a.0of2", host: "h"), .unavailable,
      "run 'a.0of2' on 'h' does not say where it listens; give its sim --listen tcp://ADDRESS:PORT with an address "
        + "and a port that other machines can use"
    ),
    (.directory(.badName("-")), .usage, RunDirectoryError.badName("-").description),
    (
      .directory(.system(SystemCallError(call: "open", path: "/x", errno: EACCES))), .notPermitted,
      "/x: open: Permission denied"
    ),
    (
      .keysDiffer(endpoint: "tcp://h:1", hasKeys: false), .notPermitted,
      "tcp://h:1: the sim accepts only clients with keys: --keys DIR is required"
    ),
    (
      .keysDiffer(endpoint: "tcp://h:1", hasKeys: true), .notPermitted,
      "tcp://h:1: the sim uses no keys: leave --keys out, or give --keys to the sim, too"
    ),
    (
      .serverKeyDiffers(endpoint: "tcp://h:1"), .notPermitted,
      "tcp://h:1: the sim's key is not the one in server.pub; copy the file again from the sim's keys"
    ),
    (.badEndpoint("x", reason: "no"), .usage, "'x': no"),
    (
      .needsKeys(endpoint: "tcp://h:1"), .notPermitted,
      "tcp://h:1 is not on this machine's loopback: --keys is required there; make keys with:"
        + " orrery keygen DIR"
    ),
    (
      .noAnswer(endpoint: "tcp://h:1", waitedSeconds: 2.5), .unavailable,
      "tcp://h:1: no sim answered within 2.5 s"
    ),
    (
      .notAllowed(endpoint: "tcp://h:1"), .notPermitted,
      "tcp://h:1: the sim refused this client's key"
    ),
    (.refused(reason: "why"), .unavailable, "the sim refused: why"),
    (.badMessage("what"), .mismatch, "the sim broke the protocol: what"),
    (.keys(system(ELOOP)), .notPermitted, "/x: open: Too many levels of symbolic links"),
    (.keys(system(EACCES)), .notPermitted, "/x: open: Permission denied"),
    (.keys(system(ENOENT)), .unavailable, "/x: open: No such file or directory"),
    (.keys(system(ENOSPC)), .inputOutput, "/x: open: No space left on device"),
    (
      .keys(.open(path: "/x", owner: 7, mode: 0o100644)), .notPermitted,
      "/x: must belong to this user and be closed to others (chmod go= it), found owner 7, mode 644"
    ),
    (
      .keys(.wrongKind(path: "/x", mode: S_IFIFO | 0o600)), .notPermitted,
      "/x: is a pipe; keys are plain files, and clients a directory of them"
    ),
    (.keys(.malformed(path: "/x")), .badData, "/x: not a CURVE key of 40 characters"),
    (.keys(.exists(path: "/x")), .inputOutput, "/x: is there already; --force replaces it"),
    (
      .keys(.noCurve(errno: ENOTSUP)), .unavailable,
      "keys cannot be made: \(String(cString: zmq_strerror(ENOTSUP)))"
    ),
  ]

  @Test(arguments: errors.indices)
  func errorHasItsStatusAndItsWords(index: Int) {
    let (error, status, text) = Self.errors[index]
    #expect(error.description == text)
    #expect(Failure(error).status == status)
    #expect(Failure(error).description == text)
  }
}
