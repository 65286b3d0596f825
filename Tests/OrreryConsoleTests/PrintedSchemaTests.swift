// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryConsole
import OrreryDocument
import TestSupport
import Testing

/// Goal: what `orrery hash`, `orrery sample` and `orrery control` print is as docs/schemas says.
@Suite struct PrintedSchemaTests {
  private func expect(_ name: String, _ line: String) throws {
    #expect(try Repository.schema(name).faults(of: Data(line.utf8)) == [], "\(line)")
    #expect(line.hasPrefix("{\"schema\":\"orrery.\(name).v"), "\(line)")
  }

  @Test func hashIsAsItsSchemaSays() throws {
    let report = HashReport(tick: 7, entities: 2, isa: "avx2", hash: "rolling", stateHash: 0xab)
    #expect(report.stateHash == "00000000000000ab")
    try expect("hash", ReportLine.encode(report, schema: HashReport.schema))
  }

  @Test func sampleIsAsItsSchemaSays() throws {
    let line = SampleLine(
      time: 1.5, tick: 90, entity: 3, x: 1, y: -2.25, opacity: 1, scale: 1, rotation: 0, blur: 0)
    try expect("sample", line.json)
  }

  @Test func answersOfASimAreAsTheirSchemaSays() throws {
    try expect("control", ControlText(.stats, ["tick": .integer(1), "id": .integer(2)]).json)
    try expect("control", ControlText(.quit, [:]).json)
  }
}
