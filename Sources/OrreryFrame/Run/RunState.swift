// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// What has become of a run, as its directory and its lock show.
package enum RunState: Equatable, Sendable {
  /// There is no such run.
  case missing
  /// A sim is about to take the directory.
  case starting
  /// A sim holds the lock.
  case running(RunOwner)
  /// A sim holds the lock, and a signal or a debugger has stopped its process.
  case stopped(RunOwner)
  /// The sim ended without removing its directory; the kernel has released its lock.
  case dead(RunOwner)
}

extension RunDirectory {
  /// What the run's sim wrote of itself; empty if there is none.
  package var owner: RunOwner { RunOwner(lockPath: lockPath) }

  /// Looks what has become of the run; nothing is changed.
  ///
  /// The lock is asked for shared and given back at once; a sim that starts at that moment waits for it.
  ///
  /// - Returns: The run's state.
  /// - Throws: `RunDirectoryError`: `system` when the lock file cannot be opened; `notALock`.
  package func state() throws(RunDirectoryError) -> RunState {
    // A lease or a pipe at the path must not make a look wait.
    guard let file = try openLock(O_RDONLY | O_NONBLOCK) else { return .missing }
    let isFree = flock(file.number, LOCK_SH | LOCK_NB) == 0
    let owner = RunOwner(lockPath: lockPath)
    guard isFree else {
      guard owner.processID != nil else { return .starting }
      return owner.process?.isStopped == true ? .stopped(owner) : .running(owner)
    }
    // It ended in order after the file was opened.
    guard file.isStill(at: lockPath) else { return .missing }
    return owner.processID == nil && !isOld(file) ? .starting : .dead(owner)
  }

  /// Whether a sim has the run and prepares its scene: it has not opened its sockets yet, and is not
  /// stopped.
  package var isPreparing: Bool {
    guard access(joinPath, F_OK) != 0 else { return false }
    return if case .running? = try? state() { true } else { false }
  }

  /// What the sim that has this name wrote of itself; nil if the name is free.
  package var holder: String? {
    switch try? state() {
    case .running(let owner), .stopped(let owner): owner.description
    case .starting: "starting"
    case .missing, .dead, nil: nil
    }
  }

  /// Whether a file has not changed for so long that no sim can be between making and signing it.
  func isOld(_ file: borrowing FileDescriptor) -> Bool {
    var status = stat()
    return fstat(file.number, &status) == 0 && Self.isOld(status)
  }

  /// The same for a file or directory whose status is known.
  static func isOld(_ status: stat) -> Bool {
    Int64(Clock.wallNs() / 1_000_000_000) - Int64(status.st_mtim.tv_sec) > startSeconds
  }

  /// Time that a sim has between making its directory and signing; it takes microseconds.
  private static let startSeconds: Int64 = 10
}
