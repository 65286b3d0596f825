// SPDX-License-Identifier: Apache-2.0

/// Checks of how the kernel and the processor are set.
extension Doctor {
  /// Processors that are threads of one core.
  var cores: DoctorCheck {
    let name = "cores"
    guard let processors = settings.processors, let cores = settings.cores else {
      return .fine(name, "unknown")
    }
    guard cores.count < processors.count else {
      return .fine(name, "\(cores.count), one for each processor")
    }
    let list = cores.map(String.init).joined(separator: ",")
    return .finding(
      name, "\(processors.count) processors are threads of \(cores.count) cores",
      cost: "more threads than cores make ticks hardly faster, and figures of orrery bench vary",
      remedy: "--threads \(cores.count); or taskset -c \(list) before the command")
  }

  /// Transparent huge pages, which large memory asks for.
  var hugePages: DoctorCheck {
    let name = "huge pages"
    guard let setting = settings.hugePages else {
      return .fine(name, "the kernel does not say")
    }
    guard setting.contains("[never]") else { return .fine(name, setting) }
    return .finding(
      name, setting, cost: "ticks of large scenes take longer: memory has pages of 4 KiB only",
      remedy: "as root: echo madvise > \(settings.root)/sys/kernel/mm/transparent_hugepage/enabled")
  }

  /// The frequency governor.
  var governor: DoctorCheck {
    let name = "governor"
    guard let governor = settings.governor else { return .fine(name, "the host decides") }
    guard governor != "performance" else { return .fine(name, governor) }
    return .finding(
      name, governor,
      cost:
        "the processor is slow after each pause: p99 of ticks, and figures of orrery bench vary",
      remedy: "as root: echo performance | tee"
        + " \(settings.root)/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor")
  }

  /// The kernel's clock source.
  var clockSource: DoctorCheck {
    let name = "clock source"
    guard let source = settings.clockSource else { return .fine(name, "unknown") }
    guard !Self.fastClocks.contains(source) else { return .fine(name, source) }
    return .finding(
      name, source,
      cost: "each reading of the time is a system call: ticks with many waits, and short timings",
      remedy: "as root: echo tsc > \(settings.root)/sys/devices/system/clocksource/clocksource0/"
        + "current_clocksource; if it has no tsc, boot with tsc=reliable")
  }

  /// Those that a program reads without a system call.
  private static let fastClocks = [
    "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter",
  ]
}
