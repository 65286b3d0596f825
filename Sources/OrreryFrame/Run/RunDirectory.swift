// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Why a run's directory cannot be used.
package enum RunDirectoryError: ExitStatusError, Equatable, CustomStringConvertible {
  /// A system call failed.
  case system(SystemCallError)
  /// The name contains other characters than letters, digits, dots, dashes and underscores, or is
  /// longer than 64 characters.
  case badName(String)
  /// A sim of that name is alive; the text is what it wrote into its lock file.
  case taken(name: String, by: String)
  /// The directory belongs to another user, other users can access it, or it is no directory.
  case unsafe(path: String, owner: UInt32, mode: UInt32)
  /// Something else than a plain file has the name of the lock.
  case notALock(path: String)
  /// A socket's path would be longer than the system allows.
  case pathTooLong(path: String, limit: Int)

  package var description: String {
    switch self {
    case .system(let error):
      guard error.call == "mkdir" else { return error.description }
      return "\(error); let XDG_RUNTIME_DIR, or TMPDIR without it, name a directory that exists and"
        + " that this user can write to"
    case .badName(let name):
      return "run name '\(name)': use 1 to 64 letters, digits, '.', '-' and '_',"
        + " beginning with a letter or digit"
    case .taken(let name, let holder):
      return "run '\(name)' is taken by a live sim (\(holder)); choose another --run name"
    case .unsafe(let path, let owner, let mode):
      return "\(path): must be a directory of this user with mode 0700, found owner \(owner),"
        + " mode \(String(mode, radix: 8))"
    case .notALock(let path):
      return "\(path): is no plain file, so no sim made it; remove it, or choose another --run name"
    case .pathTooLong(let path, let limit):
      return "\(path): longer than \(limit) bytes, the limit of a socket's path;"
        + " set XDG_RUNTIME_DIR to a shorter directory"
    }
  }
}

/// Where the processes of one run meet: a directory that only this user can enter.
///
///     $XDG_RUNTIME_DIR/orrery/NAME/     or  $TMPDIR/orrery-UID/NAME/
///         lock        held by the living sim; says who it is
///         join        socket that hands the ring to subscribers
///         announce    ZeroMQ's socket of announcements
///         control     ZeroMQ's socket of control requests
///         events      ZeroMQ's socket of events
package struct RunDirectory: Sendable {
  /// Name of the run.
  package let name: String
  /// Path of the directory.
  package let path: String

  /// The directory of all runs, which contains this one.
  package let base: String

  /// The socket that hands out the ring.
  package var joinPath: String { path + "/join" }

  /// The socket of announcements.
  package var announcePath: String { path + "/announce" }

  /// The socket of control requests.
  package var controlPath: String { path + "/control" }

  /// The socket of events.
  package var eventsPath: String { path + "/events" }

  /// The file that the living sim holds a lock on.
  package var lockPath: String { path + "/lock" }

  /// Finds the directory's path; nothing is created.
  ///
  /// - Parameters:
  ///   - name: The run's.
  ///   - base: The directory of all runs.
  /// - Throws: `badName` or `pathTooLong`.
  package init(
    name: String, base: String = RunDirectory.base()
  ) throws(RunDirectoryError) {
    guard Self.isName(name) else { throw .badName(name) }
    self.name = name
    self.base = base
    path = base + "/" + name
    guard announcePath.utf8.count <= Self.pathBytesMax else {
      throw .pathTooLong(path: announcePath, limit: Self.pathBytesMax)
    }
  }

  /// Whether a text has 1 to 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit.
  package static func isName(_ name: String) -> Bool {
    let isAllowed = name.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == 45 || byte == 46 || byte == 95
    }
    guard isAllowed, (1...64).contains(name.utf8.count), let first = name.utf8.first else {
      return false
    }
    return first != 45 && first != 46 && first != 95
  }

  /// `sun_path` without its closing zero.
  private static let pathBytesMax = 107

  /// The directory of all runs of this user.
  package static func base() -> String {
    if let runtime = Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
      return runtime + "/orrery"
    }
    return (Environment.value("TMPDIR") ?? "/tmp") + "/orrery-\(geteuid())"
  }

  /// Makes a directory that only this user can enter, or checks the existing one.
  ///
  /// - Throws: `unsafe` or `system`.
  /// - Returns: False if it was removed meanwhile.
  package static func makePrivate(_ path: String) throws(RunDirectoryError) -> Bool {
    do throws(SystemCallError) {
      try PrivateDirectory.make(path)
    } catch {
      throw .system(error)
    }
    return try isPrivate(path)
  }

  /// Checks that a path is a directory that only this user can enter.
  ///
  /// One that this user cannot enter either was made under a umask that forbids it, and is opened to them.
  ///
  /// - Returns: False if nothing is there.
  /// - Throws: `unsafe` or `system`.
  package static func isPrivate(_ path: String) throws(RunDirectoryError) -> Bool {
    PrivateDirectory.openToOwner(path)
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return false }
      throw .system(SystemCallError(call: "lstat", path: path, errno: errno))
    }
    let isDirectory = status.st_mode & S_IFMT == S_IFDIR
    guard isDirectory, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .unsafe(path: path, owner: status.st_uid, mode: status.st_mode)
    }
    return true
  }
}

extension RunDirectory {
  /// Opens the lock file, not through a link.
  ///
  /// - Parameter flags: O_RDONLY or O_RDWR, O_CREAT, O_NONBLOCK. Of a pipe, O_RDONLY alone would wait.
  /// - Returns: The file; nil if it is not there.
  /// - Throws: `RunDirectoryError.notALock` or `system`.
  func openLock(_ flags: CInt) throws(RunDirectoryError) -> FileDescriptor? {
    let number = open(lockPath, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: return nil
      case ELOOP, EISDIR, ENXIO: throw .notALock(path: lockPath)
      default: throw .system(SystemCallError(call: "open", path: lockPath, errno: errno))
      }
    }
    let file = FileDescriptor(owning: number)
    guard file.isPlain else { throw .notALock(path: lockPath) }
    return file
  }
}

extension RunDirectoryError {
  package var exitStatus: ExitStatus {
    switch self {
    case .taken: .nameTaken
    case .badName, .pathTooLong: .usage
    case .unsafe, .notALock: .notPermitted
    case .system(let cause): cause.exitStatus
    }
  }
}
