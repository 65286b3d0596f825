// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryWire

/// The arguments of `orrery keygen`.
package struct KeygenArguments: ParsableArguments {
  @Argument(help: "Directory for the keys; made where needed.")
  package var directory: String

  @Option(help: "Name of the client; another one is added to the keys that are there.")
  package var client = CurveKeys.firstClient

  @Flag(help: "Replace keys that are there; who has the old ones is shut out.")
  package var force = false

  package init() {}

  /// Refuses client names with other characters than file names need, and the name `server`.
  package func validate() throws {
    let isPlain = client.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == 45 || byte == 95
    }
    guard isPlain, (1...64).contains(client.utf8.count), client != "server" else {
      throw ValidationError(
        "--client '\(client)': use 1 to 64 letters, digits, '-' and '_', and not 'server'")
    }
  }
}
