// SPDX-License-Identifier: Apache-2.0

// The one file of an installation that runs: by the name that it is called by, it is one of the programs. They are
// linked with it, each with its entry under a name of its own, as SwiftPM compiles them; tools/install-programs says
// how. The imports have the linker find what any program needs of Swift.

import Dispatch
import Foundation
import Synchronization

typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
@_silgen_name("bench_main") func bench(_ count: Int32, _ words: Words) -> Int32
@_silgen_name("live_main") func live(_ count: Int32, _ words: Words) -> Int32
@_silgen_name("logger_main") func logger(_ count: Int32, _ words: Words) -> Int32
@_silgen_name("metrics_main") func metrics(_ count: Int32, _ words: Words) -> Int32
@_silgen_name("orrery_main") func orrery(_ count: Int32, _ words: Words) -> Int32
@_silgen_name("renderer_main") func renderer(_ count: Int32, _ words: Words) -> Int32
@_silgen_name("sim_main") func sim(_ count: Int32, _ words: Words) -> Int32

let program = CommandLine.unsafeArgv[0].map { String(cString: $0) } ?? ""
let main =
  switch program.split(separator: "/").last {
  case "bench": bench
  case "live": live
  case "logger": logger
  case "metrics": metrics
  case "renderer": renderer
  case "sim": sim
  default: orrery
  }
exit(main(CommandLine.argc, CommandLine.unsafeArgv))
