// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Looks for what on this machine keeps Orrery from working, or makes it slower or less steady than it could be.
///
/// Nothing is changed or left behind, except that a folder of runs which its own user could not enter is opened to them,
/// as every run does.
package struct Doctor {
  /// The kernel's files.
  let settings: MachineSettings
  /// The Python that writes tables; nil if it cannot be told.
  let python: String?

  /// A doctor.
  ///
  /// - Parameters:
  ///   - settings: The kernel's files.
  ///   - python: The Python that writes tables, a path or a name on PATH.
  package init(_ settings: MachineSettings = MachineSettings(), python: String?) {
    (self.settings, self.python) = (settings, python)
  }

  /// Looks at everything.
  package func report() -> DoctorReport { DoctorReport(programs + limits + kernel) }

  /// What other packages bring.
  var programs: [DoctorCheck] { [fonts, ffmpeg, pythonParts] }

  /// What this process may have.
  var limits: [DoctorCheck] {
    [runtimeDirectory, descriptors, lockedMemory, memory, sharedMemory, quota]
  }

  /// How the kernel and the processor are set.
  package var kernel: [DoctorCheck] { [cores, hugePages, governor, clockSource] }
}
