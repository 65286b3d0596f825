// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument

/// What a shard writes of itself for the others, and for subscribers: a line of JSON.
package struct ShardNote: Equatable, Sendable {
  /// Drawn at random for the process.
  package let generation: UInt64

  /// Hash of the scene and all that its frames depend on: equal in all shards of a run.
  package let scene: UInt64

  /// When tick 0 is, by wall time in nanoseconds since 1970; nil before the shards have agreed on it.
  package var startWallNs: UInt64?

  /// The newest of the run's changes that the shard knows; 0 before the first.
  package var known: UInt64 = 0

  /// The machine's name.
  package let host: String

  package let processID: Int32

  /// Where the shard serves other machines, as `tcp://ADDRESS:PORT`.
  package let address: String?

  /// The kernel that has the lock on the shard, by the random number that it drew when it booted; nil if
  /// there is no lock.
  package let kernel: String?

  package init(
    generation: UInt64, scene: UInt64, host: String, processID: Int32, address: String?,
    kernel: String? = nil, startWallNs: UInt64? = nil
  ) {
    (self.generation, self.scene, self.host) = (generation, scene, host)
    (self.processID, self.address, self.kernel) = (processID, address, kernel)
    self.startWallNs = startWallNs
  }

  /// Reads a note; nil if it is none.
  package init?(_ text: String) {
    guard let table = try? JSONParser.parseTable(text),
      let generation = table["generation"]?.wordValue, let scene = table["scene"]?.wordValue,
      let host = table["host"]?.string, let process = table["pid"]?.integer,
      let processID = Int32(exactly: process)
    else { return nil }
    let start = table["start_wall_ns"]?.countValue
    guard start != nil || !table.has("start_wall_ns") else { return nil }
    self.init(
      generation: generation, scene: scene, host: host, processID: processID,
      address: table["address"]?.string, kernel: table["kernel"]?.string, startWallNs: start)
    known = table["known"]?.countValue ?? 0
  }

  /// The note as text.
  package var text: String {
    var fields: [String: DocumentValue] = [
      "generation": .word(generation), "scene": .word(scene), "host": .string(host),
      "pid": .integer(Int64(processID)),
    ]
    if let address { fields["address"] = .string(address) }
    if let kernel { fields["kernel"] = .string(kernel) }
    if let startWallNs { fields["start_wall_ns"] = .count(startWallNs) }
    if known > 0 { fields["known"] = .count(known) }
    return String(decoding: fields.json, as: UTF8.self)
  }
}

/// What the first shard writes for the others once all of them are there: a line of JSON.
package struct ShardStart: Equatable, Sendable {
  /// When tick 0 is, by wall time in nanoseconds since 1970.
  package let wallNs: UInt64

  /// The generation of each shard that begins then.
  ///
  /// A start that does not name a shard is an earlier run's.
  package let generations: [UInt64]

  package init(wallNs: UInt64, generations: [UInt64]) {
    (self.wallNs, self.generations) = (wallNs, generations)
  }

  /// Reads a start; nil if it is none.
  package init?(_ text: String) {
    guard let table = try? JSONParser.parseTable(text),
      let wallNs = table["wall_ns"]?.countValue,
      let words = table["generations"]?.array
    else { return nil }
    let generations = words.compactMap(\.wordValue)
    guard generations.count == words.count else { return nil }
    self.init(wallNs: wallNs, generations: generations)
  }

  /// The start as text.
  package var text: String {
    let fields: [String: DocumentValue] = [
      "wall_ns": .count(wallNs),
      "generations": .array(DocumentArray(generations.map { .word($0) })),
    ]
    return String(decoding: fields.json, as: UTF8.self)
  }
}
