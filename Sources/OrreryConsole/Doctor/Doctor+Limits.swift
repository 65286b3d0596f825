// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame

/// Checks of what this process may have: descriptors, memory, processor time, a folder for runs.
extension Doctor {
  /// The folder in which the processes of runs meet.
  var runtimeDirectory: DoctorCheck {
    let (name, base) = ("runtime directory", RunDirectory.base())
    let cost = "no run can begin, and none is found"
    let parent = String(base[..<(base.lastIndex(of: "/") ?? base.startIndex)])
    let (found, remedy): (String, String)
    do throws(RunDirectoryError) {
      // The path of a run with a short name has to fit into a socket's address.
      _ = try RunDirectory(name: "run", base: base)
      if try RunDirectory.isPrivate(base) { return .fine(name, "\(base), mode 700") }
      if access(parent, W_OK | X_OK) == 0 {
        return .fine(name, "\(base), which the first run makes")
      }
      found = "\(parent) \(access(parent, F_OK) == 0 ? "cannot be written to" : "does not exist")"
      remedy = "export XDG_RUNTIME_DIR=FOLDER, a folder of yours with mode 700"
    } catch {
      found = "\(error)"
      remedy =
        switch error {
        case .unsafe(_, geteuid(), _): "chmod 700 \(base)"
        default: "export XDG_RUNTIME_DIR=FOLDER, a folder of yours with mode 700 and a short path"
        }
    }
    return .finding(name, found, cost: cost, remedy: remedy)
  }

  /// Descriptors that a process may have open.
  var descriptors: DoctorCheck {
    let (soft, hard) = limit(RLIMIT_NOFILE)
    let found = "ulimit -n is \(Self.number(soft))"
    guard soft < Self.descriptorsMin else { return .fine("descriptors", found) }
    return .finding(
      "descriptors", found,
      cost: "subscribers are refused, or a program ends with code 71: Too many open files",
      remedy: hard >= Self.descriptorsMin
        ? "ulimit -n \(Self.descriptorsMin)"
        : "as root: prlimit --nofile=\(Self.descriptorsMin) --pid $$, then ulimit -n \(Self.descriptorsMin)"
    )
  }

  /// What Linux allows unless somebody has lowered it.
  private static let descriptorsMin: UInt64 = 1024

  /// Memory that a process may lock: never a finding, because Orrery locks none.
  var lockedMemory: DoctorCheck {
    let (soft, _) = limit(__RLIMIT_MEMLOCK)
    let bytes = soft == .max ? "unlimited" : Self.size(soft)
    return .fine("locked memory", "ulimit -l is \(bytes); Orrery locks none")
  }

  /// Memory that can be allocated.
  var memory: DoctorCheck {
    let (bytes, limit) = Memory.available()
    let found = "\(Self.size(bytes)) available"
    guard bytes < Self.memoryMin else { return .fine("memory", found) }
    let (cause, remedy) =
      switch limit {
      case .machine: ("", "end other programs; or run with --ring-memory 64MiB")
      case .group:
        (", as the control group allows", "raise memory.max of the group, as by docker run -m 2g")
      case .addressSpace: (", as ulimit -v allows", "ulimit -v unlimited")
      case .user: (", as --memory-limit allows", "raise --memory-limit")
      }
    return .finding(
      "memory", found + cause,
      cost: "larger scenes are refused with code 71, or a program is killed",
      remedy: remedy)
  }

  /// Twice what `orrery run flags` takes with its programs and the encoder: 240 MiB of it were measured on two processors.
  private static let memoryMin: UInt64 = 512 << 20

  /// Room for rings that have a name.
  var sharedMemory: DoctorCheck {
    var status = statvfs()
    let path = "/dev/shm"
    guard statvfs(path, &status) == 0 else {
      return .finding(
        path, String(cString: strerror(errno)), cost: "orrery sim --shm-name ends with code 71",
        remedy: "mount -t tmpfs tmpfs \(path), as root; or no --shm-name")
    }
    let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    let found = "\(Self.size(free)) free"
    guard free < Self.sharedMemoryMin else { return .fine(path, found) }
    return .finding(
      path, found,
      cost:
        "larger rings of orrery sim --shm-name are refused, with code 71; other runs do not use it",
      remedy: "mount -o remount,size=1G \(path), as root; docker run --shm-size 1g")
  }

  /// More than the 64 MiB that containers get by default.
  private static let sharedMemoryMin: UInt64 = 128 << 20

  /// Processor time that control groups allow.
  package var quota: DoctorCheck {
    let name = "processor quota"
    let count = settings.processors?.count ?? Processors.count
    guard let quota = settings.processorQuota, quota < Double(count) else {
      return .fine(name, "none below the \(count) processors")
    }
    let whole = max(Int(quota), 1)
    return .finding(
      name, "\(decimal(quota, places: 2)) of \(count) processors",
      cost: "when it is used up, all threads stop until its period ends, and ticks are late",
      remedy: "raise it: docker run --cpus \(count), CPUQuota= of a service, cpu.max of the group;"
        + " or run with --threads \(whole)")
  }

  /// The soft and the hard limit of a resource; `UInt64.max` without a limit.
  private func limit(_ resource: __rlimit_resource) -> (soft: UInt64, hard: UInt64) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    return (UInt64(limit.rlim_cur), UInt64(limit.rlim_max))
  }

  private static func number(_ limit: UInt64) -> String {
    limit == .max ? "unlimited" : "\(limit)"
  }

  private static func size(_ bytes: UInt64) -> String { megabytes(bytes) + " MB" }
}
