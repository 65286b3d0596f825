// SPDX-License-Identifier: Apache-2.0

import OrreryConsole
import Testing

/// Goal: a client's name is that of a file, and never the server's.
///
/// Method: every printable byte of ASCII as a name; names at and beyond their longest.
@Suite struct KeygenArgumentsTests {
  private static func isTaken(_ client: String) -> Bool {
    (try? KeygenArguments.parse(["keys", "--client=" + client]))?.client == client
  }

  @Test func nameHasLettersDigitsAndDashes() {
    let plain = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
    for byte in 32...126 as ClosedRange<UInt8> {
      let name = String(UnicodeScalar(byte))
      #expect(Self.isTaken(name) == plain.contains(name), "'\(name)'")
    }
    #expect(!Self.isTaken("ü"))
  }

  @Test func nameHasOneToSixtyFourBytes() {
    #expect(Self.isTaken(String(repeating: "a", count: 64)))
    #expect(!Self.isTaken(String(repeating: "a", count: 65)))
    #expect(!Self.isTaken(""))
  }

  @Test func serversNameIsNoClients() {
    #expect(!Self.isTaken("server"))
    #expect(Self.isTaken("servers"))
  }

  @Test func firstClientIsCalledClient() throws {
    let arguments = try KeygenArguments.parse(["keys"])
    #expect(arguments.directory == "keys")
    #expect(arguments.client == "client")
    #expect(!arguments.force)
    #expect(try KeygenArguments.parse(["keys", "--force"]).force)
  }
}
