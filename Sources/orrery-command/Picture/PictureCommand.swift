// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What can be done with pictures.
struct PictureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "picture",
    abstract: "Compare pictures.",
    usage: "orrery picture VERB FILE ... [OPTIONS]",
    discussion: """
      Example:
        orrery picture diff before.png after.png -o difference.png
      """,
    subcommands: [PictureDiffCommand.self])
}
