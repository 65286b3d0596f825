// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryConsole
import OrreryDocument
import OrreryPictures
import OrreryWire

/// Asks a running sim to do something.
struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "control",
    abstract: "Pause, step, seek, change or look at a running sim.",
    usage: "orrery control [RUN] VERB [ARGUMENTS] [OPTIONS]",
    discussion: """
      Verbs:
        pause                      publish nothing until resume, step or seek
        resume                     go on
        step [TICKS]               publish so many ticks, then pause
        seek TICK | --at SECONDS   publish that tick next
        speed FACTOR               0.01 to 100 times real time
        set VIEW NAME=VALUE ...    change x, y, opacity, scale, rotation or blur
        toggle NAME ...            show or hide views, tap rows of accordions
        keep                       loggers of --mode flight write their last seconds
        stats                      what the sim knows of itself
        snapshot --out FILE        the newest frame, an orrery.Frame message
        snapshot --out NAME.png    the picture of it
        quit                       end the run in order
      Examples:
        orrery sim planets --run demo &
        orrery control demo seek --at 12.5
        orrery control demo snapshot --out now.png
        orrery control demo set Mars.panel x=12 --animation 'spring()'
        orrery control pause --connect tcp://127.0.0.1:7450 --keys keys
        orrery control demo quit
      step and seek answer once the last frame is there. A refusal has exit code 65.
      """)

  @OptionGroup var arguments: ControlArguments

  func run() throws {
    defer { DeadRuns.remove() }
    let request = try Failure.of(.usage) { try arguments.request() }
    if arguments.isPicture { return try draw() }
    var answer: (fields: [String: DocumentValue], attachments: [[UInt8]]) = ([:], [])
    do throws(WireError) {
      for address in try arguments.addresses(for: request.verb) {
        answer = try ControlClient(address).ask(
          request.verb, request.fields, timeoutSeconds: arguments.timeout)
      }
    } catch {
      if case .refused(let reason) = error { throw Failure(.badData, "refused: \(reason)") }
      if case .noAnswer = error, request.verb == .step || request.verb == .seek {
        throw Failure(
          .unavailable,
          "\(error); if the sim is still on its way there, it goes on: --timeout waits longer")
      }
      throw Failure(ofRequest: error)
    }
    try arguments.write(answer.attachments)
    let text = ControlText(request.verb, answer.fields)
    let lines = (arguments.json ? text.json : text.lines) + "\n"
    if arguments.writesToOutput { Standard.error(lines) } else { Standard.output(lines) }
  }

  /// Draws the newest frame, as a subscriber would: the sim does not know how.
  private func draw() throws {
    StopSignals.installHandlers()
    let picture = try PresentPicture(
      try arguments.location(), waitSeconds: arguments.wait, timeoutSeconds: arguments.timeout)
    try picture.write(to: arguments.out ?? "")
    let (size, stamp) = (picture.size, picture.stamp)
    let text = ControlText(
      .snapshot,
      [
        "tick": .count(stamp.tick), "sequence": .count(picture.sequence),
        "sim_time_ns": .count(stamp.simTimeNs), "publish_time_ns": .count(stamp.publishTimeNs),
        "state_hash": .string(hexadecimal(stamp.stateHash)),
        "width": .integer(Int64(size.width)), "height": .integer(Int64(size.height)),
      ])
    Standard.output((arguments.json ? text.json : text.lines) + "\n")
  }
}
