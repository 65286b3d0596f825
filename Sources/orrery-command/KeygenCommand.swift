// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryConsole
import OrreryWire

/// Makes the keys that let other machines in.
struct KeygenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Make keys for runs that other machines can follow.",
    usage: "orrery keygen DIRECTORY [OPTIONS]",
    discussion: """
      Example:
        orrery keygen keys
        orrery sim flags --run demo --listen 'tcp://*:7400' --keys keys
      Makes server.key and client.key (secret), server.pub and clients/client.pub
      (public). Give a client server.pub and client.key, by a way that nobody else
      can read. Removing clients/NAME.pub shuts NAME out.
      """)

  @OptionGroup var arguments: KeygenArguments

  func run() throws {
    let files = try CurveKeys.generate(
      directory: arguments.directory, client: arguments.client, overwrites: arguments.force)
    Standard.output(files.joined(separator: "\n") + "\n")
  }
}
