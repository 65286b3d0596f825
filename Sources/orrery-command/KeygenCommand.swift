// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryWire

/// Makes the keys with which other machines are let in.
struct KeygenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Make keys for runs that other machines can follow.",
    discussion: """
      Example: orrery keygen keys && sim flags --run demo --listen 'tcp://*:7400' --keys keys
      Makes server.key and client.key (secret), server.pub and clients/client.pub (public). Give a client
      server.pub and client.key, by a way that nobody else can read. Removing clients/NAME.pub shuts NAME out.
      """)

  @Argument(help: "Directory for the keys; made where needed.")
  var directory: String

  @Option(help: "Name of the client; another one is added to the keys that are there.")
  var client = CurveKeys.firstClient

  @Flag(help: "Replace keys that are there; who has the old ones is shut out.")
  var force = false

  func validate() throws {
    let isPlain = client.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == 45 || byte == 95
    }
    guard isPlain, (1...64).contains(client.utf8.count), client != "server" else {
      throw ValidationError(
        "--client '\(client)': use 1 to 64 letters, digits, '-' and '_', and not 'server'")
    }
  }

  func run() throws {
    do throws(KeyError) {
      let files = try CurveKeys.generate(
        directory: directory, client: client, overwrites: force)
      Standard.output(files.joined(separator: "\n") + "\n")
    } catch {
      Failure(error).exit(program: "orrery keygen")
    }
  }
}
