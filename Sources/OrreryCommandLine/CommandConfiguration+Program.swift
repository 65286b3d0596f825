// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension CommandConfiguration {
  /// The configuration of a program that is run as `orrery NAME`.
  ///
  /// - Parameters:
  ///   - name: The program's name after `orrery`.
  ///   - abstract: What it does, in a line of at most 69 characters.
  ///   - usage: The words after the name, such as `SCENE --run NAME [OPTIONS]`.
  ///   - discussion: Examples first; lines of at most 79 characters, because help is 80 columns wide.
  ///   - subcommands: Its commands.
  ///   - defaultSubcommand: The command that is run without a name.
  package init(
    program name: String, abstract: String, usage: String, discussion: String,
    subcommands: [any ParsableCommand.Type] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: name, _superCommandName: CommandLineProgram.orrery, abstract: abstract,
      usage: "\(CommandLineProgram.orrery) \(name) \(usage)", discussion: discussion,
      version: Version.text, subcommands: subcommands, defaultSubcommand: defaultSubcommand)
  }
}
