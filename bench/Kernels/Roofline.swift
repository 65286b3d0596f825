// SPDX-License-Identifier: Apache-2.0

import OrreryPlot

enum Roofline {
  static func write(_ report: KernelReport, path: String, format: PlotFile.Format) throws(PlotError) {}
}
