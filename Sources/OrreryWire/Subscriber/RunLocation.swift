// SPDX-License-Identifier: Apache-2.0

/// Where a run is found.
package enum RunLocation: Sendable, CustomStringConvertible {
  /// A run of this user on this machine, by its name.
  case run(String)
  /// A run on any machine, by the address at which its sim listens.
  case remote(WireAddress, isCompressed: Bool)
  /// A run of several shards, by the addresses at which their sims listen, in any order.
  case remoteShards([WireAddress], isCompressed: Bool)
  /// A run of several shards on any machines, by its name and the directory where they meet.
  case rendezvous(name: String, directory: String, keys: CurveKeys?, isCompressed: Bool)

  package var description: String {
    switch self {
    case .run(let name), .rendezvous(let name, _, _, _): "run '\(name)'"
    case .remote, .remoteShards: name
    }
  }

  /// The run's name, or its addresses.
  package var name: String {
    switch self {
    case .run(let name), .rendezvous(let name, _, _, _): name
    case .remote(let address, _): address.endpoint
    case .remoteShards(let addresses, _): addresses.map(\.endpoint).joined(separator: ", ")
    }
  }

  /// Whether its sims may be on other machines: then one that died cannot be told from one that is not heard.
  package var isRemote: Bool {
    if case .run = self { false } else { true }
  }

  /// Whether frames come as LZ4, for links that are slower than the encoder.
  var isCompressed: Bool {
    switch self {
    case .run: false
    case .remote(_, let isCompressed), .remoteShards(_, let isCompressed),
      .rendezvous(_, _, _, let isCompressed):
      isCompressed
    }
  }
}
