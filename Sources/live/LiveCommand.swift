// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Logging
import OrreryBase
import OrreryCommandLine
import OrreryEval
import OrreryLive
import OrrerySubscriber
import OrreryViewers

/// Shows a run in a browser.
@main struct LiveCommand: SubscriberCommand {
  static let configuration = CommandConfiguration(
    program: "live",
    abstract: "Watch and steer a run in a browser.",
    usage: "RUN | --connect ADDRESS ... [OPTIONS]",
    discussion: """
      Example:
        orrery run planets --live
        orrery live planets --wait 20
      Prints an address of this machine to open in a browser: the scene as it moves,
      what steers it, and how long its ticks take. The address has a token: whoever
      has it sees the run and steers it. When the run ends, this program ends too,
      and the page says so and stays as it was.
      Foxglove and Lichtblick connect to the same port, with the token, by
      ws://127.0.0.1:PORT/foxglove?token=TOKEN.
      """)

  /// A first word without a dash is the run's name.
  static func main() {
    var words = CommandLineProgram.words
    if let name = words.first, !name.hasPrefix("-"), !name.isEmpty {
      words.replaceSubrange(0..<1, with: ["--run", name])
    }
    CommandLineProgram(Self.self).run(words)
  }

  @OptionGroup var runArguments: RunArguments

  @Option(help: "Port of 127.0.0.1, \(Self.portRange); 0: one that is free.")
  var port = 0

  @Option(help: "Pages and Foxglove clients that may be open at a time, \(Self.clientsRange).")
  var clients = 100

  /// Below the sim and the logger, above the renderer: somebody watches.
  private static let niceness: Int32 = 10

  private static let portRange = OptionRange(0...65_535)
  private static let clientsRange = OptionRange(1...1000)

  func validate() throws {
    try Self.portRange.check("--port", port)
    try Self.clientsRange.check("--clients", clients)
  }

  func run() throws {
    // Two of ZeroMQ, the server's and that of its editor, one that steers, and two of the control client.
    StopSignals.installHandlers(threads: 7)
    let log = LogTap.bootstrap(program: "live", format: runArguments.log.logFormat)
    log.open()
    StopSignals.endWithParent()
    // A picture may be late, a tick may not. All threads that begin after this are the same.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
    let follower = try RunFollower(program: "live", runArguments)
    let location = try runArguments.location()
    let server = try LiveServer(
      port: port, clientsMax: clients,
      work: PageWork(curve: CurveSheet.line, texts: SceneTexts.line))
    defer { server.close() }
    if runArguments.supervised {
      let note = NoteReport(text: "to watch and steer it: \(server.address)")
      Standard.output(note.line + "\n")
    } else if runArguments.json {
      // Standard output has the report alone.
      Standard.error(server.address + "\n")
    } else {
      Standard.output(server.address + "\n")
    }
    var number = 0
    try follower.follow(
      .drawing, reading: .newest, waiting: .futex, wantsEvents: true, mergesBatches: true,
      prepare: { number = $0 },
      consumer: { (_, source, events) throws(Failure) in
        try LiveView(
          hub: server.hub, location: location, number: number, source: source, events: events,
          feed: { source, layout in
            let pictures = ViewerPictures(of: source, layout)
            if let fault = pictures.fault { Logger(label: "live").warning("\(fault)") }
            return pictures
          },
          log: { log.take().lines.map { $0.message(of: "live") } })
      })
  }
}

extension ViewerPictures: FoxgloveFeed {}
