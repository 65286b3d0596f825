// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc
import OrreryBase
import OrreryWire
import TestSupport
import Testing

/// Goal: key files are what SECURITY.md says: who owns them, who may read them, what is in them, and when they are
/// written.
///
/// Method: directories of one test each; each file is changed in one way.
@Suite struct KeyFileTests {
  private static func make(_ client: String = "client") throws -> (
    base: TemporaryBase, directory: String
  ) {
    let base = try TemporaryBase()
    let directory = base.path + "/keys"
    _ = try CurveKeys.generate(directory: directory, client: client, overwrites: false)
    return (base, directory)
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private static func names(_ directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  /// What reading keys ends with.
  private static func error(_ body: () throws(KeyError) -> Void) -> KeyError? {
    do throws(KeyError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private static func server(_ directory: String) -> KeyError? {
    error { () throws(KeyError) -> Void in _ = try CurveKeys.server(directory: directory) }
  }

  private static func client(_ directory: String) -> KeyError? {
    error { () throws(KeyError) -> Void in _ = try CurveKeys.client(directory: directory) }
  }

  /// Why a file of the list of clients is skipped, or why the list cannot be read.
  private static func list(_ directory: String) -> KeyError? {
    var skipped: [KeyError] = []
    let failure = error { () throws(KeyError) -> Void in
      guard case .server(_, let clients) = try CurveKeys.server(directory: directory) else {
        return
      }
      skipped = try clients.content().skipped
    }
    #expect(skipped.count <= 1)
    return failure ?? skipped.first
  }

  /// Writes a file that nobody else can change.
  private static func put(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(chmod(path, 0o600) == 0)
  }

  // MARK: - What is made

  @Test func filesAreThoseOfTheTable() throws {
    let base = try TemporaryBase()
    let directory = base.path + "/keys"
    let files = try CurveKeys.generate(directory: directory, client: "client", overwrites: false)
    let names = ["server.key", "server.pub", "client.key", "clients/client.pub"]
    #expect(files == names.map { directory + "/" + $0 })
    for file in files {
      #expect(Self.mode(file) == 0o600, "\(file)")
      #expect(try Self.text(file).utf8.count == 41, "\(file)")
      #expect(try Self.text(file).hasSuffix("\n"), "\(file)")
    }
    #expect(Self.mode(directory) == 0o700)
    #expect(Self.mode(directory + "/clients") == 0o700)
    // Nothing is left of how they were written.
    #expect(try Self.names(directory) == ["client.key", "clients", "server.key", "server.pub"])
    #expect(try Self.names(directory + "/clients") == ["client.pub"])

    func key(_ name: String) throws -> String {
      String(try Self.text(directory + "/" + name).dropLast())
    }
    guard case .server(let server, let clients) = try CurveKeys.server(directory: directory),
      case .client(let client, let serverKey) = try CurveKeys.client(directory: directory)
    else {
      Issue.record("no keys")
      return
    }
    #expect(server.secretKey == (try key("server.key")))
    #expect(server.publicKey == (try key("server.pub")))
    #expect(client.secretKey == (try key("client.key")))
    #expect(client.publicKey == (try key("clients/client.pub")))
    #expect(serverKey == server.publicKey)
    #expect(try clients.content().keys == [client.publicKey])
    #expect(
      Set([server.secretKey, server.publicKey, client.secretKey, client.publicKey]).count == 4)
    withExtendedLifetime(base) {}
  }

  @Test func furtherClientIsAddedToTheServerThatIsThere() throws {
    let (base, directory) = try Self.make()
    let server = try Self.text(directory + "/server.key")
    for overwrites in [false, true] {
      let files = try CurveKeys.generate(
        directory: directory, client: "second", overwrites: overwrites)
      #expect(files == [directory + "/second.key", directory + "/clients/second.pub"])
      #expect(try Self.text(directory + "/server.key") == server)
    }
    guard case .server(_, let clients) = try CurveKeys.server(directory: directory) else { return }
    let keys = try ["client", "second"].map {
      String(try Self.text(directory + "/clients/\($0).pub").dropLast())
    }
    #expect(try clients.content().keys == Set(keys))
    withExtendedLifetime(base) {}
  }

  @Test func firstClientOfAnyNameMakesTheServer() throws {
    let (base, directory) = try Self.make("alice")
    #expect(try Self.names(directory) == ["alice.key", "clients", "server.key", "server.pub"])
    // The first one's name stands for all of them.
    let before = try Self.text(directory + "/server.key")
    let files = try CurveKeys.generate(directory: directory, client: "client", overwrites: true)
    #expect(files.count == 4)
    #expect(try Self.text(directory + "/server.key") != before)
    withExtendedLifetime(base) {}
  }

  @Test(arguments: ["second.key", "clients/second.pub"])
  func fileThatIsThereIsSaidAndNothingIsWritten(name: String) throws {
    let (base, directory) = try Self.make()
    _ = try CurveKeys.generate(directory: directory, client: "second", overwrites: false)
    let path = directory + "/" + name
    let text = try Self.text(path)
    for other in ["second.key", "clients/second.pub"] where other != name {
      #expect(unlink(directory + "/" + other) == 0)
    }
    let before = try Self.names(directory) + Self.names(directory + "/clients")
    #expect(throws: KeyError.exists(path: path)) {
      try CurveKeys.generate(directory: directory, client: "second", overwrites: false)
    }
    #expect(try Self.names(directory) + Self.names(directory + "/clients") == before)
    #expect(try Self.text(path) == text)
    // A link that leads nowhere is there, too.
    #expect(unlink(path) == 0)
    #expect(symlink("/nowhere", path) == 0)
    #expect(throws: KeyError.exists(path: path)) {
      try CurveKeys.generate(directory: directory, client: "second", overwrites: false)
    }
    withExtendedLifetime(base) {}
  }

  /// Whoever was killed while writing left a file that is not there any more once another has written.
  @Test(arguments: [false, true]) func whatABrokenWriteLeftIsReplaced(overwrites: Bool) throws {
    let (base, directory) = try Self.make()
    for name in ["second.key.new", "clients/second.pub.new"] {
      try Self.put(String(repeating: "y", count: 60), directory + "/" + name)
    }
    let files = try CurveKeys.generate(
      directory: directory, client: "second", overwrites: overwrites)
    for file in files { #expect(try Self.text(file).utf8.count == 41, "\(file)") }
    #expect(
      try Self.names(directory)
        == ["client.key", "clients", "second.key", "server.key", "server.pub"])
    #expect(try Self.names(directory + "/clients") == ["client.pub", "second.pub"])
    withExtendedLifetime(base) {}
  }

  @Test func directoryThatCannotBeMadeOrTrustedIsSaid() throws {
    let base = try TemporaryBase()
    let path = base.path + "/no/keys"
    #expect(throws: KeyError.system(SystemCallError(call: "mkdir", path: path, errno: ENOENT))) {
      try CurveKeys.generate(directory: path, client: "client", overwrites: false)
    }
    let open = base.path + "/open"
    #expect(mkdir(open, 0o700) == 0)
    #expect(chmod(open, 0o720) == 0)
    #expect(throws: KeyError.open(path: open, owner: geteuid(), mode: S_IFDIR | 0o720)) {
      try CurveKeys.generate(directory: open, client: "client", overwrites: false)
    }
    #expect(try Self.names(open) == [])
    withExtendedLifetime(base) {}
  }

  @Test func pairsAreDrawn() throws {
    let (first, second) = (try CurveKeyPair(), try CurveKeyPair())
    #expect(first != second)
    #expect(first.publicKey.utf8.count == 40)
    #expect(first.secretKey.utf8.count == 40)
    #expect(first.publicKey != first.secretKey)
  }

  // MARK: - Who may read them

  @Test(arguments: [0o040, 0o020, 0o010, 0o004, 0o002, 0o001] as [mode_t])
  func secretFilesAreClosedToOthers(bit: mode_t) throws {
    let (base, directory) = try Self.make()
    for (name, read) in [("server.key", Self.server), ("client.key", Self.client)] {
      let path = directory + "/" + name
      #expect(chmod(path, 0o600 | bit) == 0)
      #expect(
        read(directory) == .open(path: path, owner: geteuid(), mode: S_IFREG | 0o600 | bit))
      #expect(chmod(path, 0o600) == 0)
      #expect(read(directory) == nil)
    }
    withExtendedLifetime(base) {}
  }

  @Test(arguments: [0o040, 0o020, 0o010, 0o004, 0o002, 0o001] as [mode_t])
  func publicFilesAreNotForOthersToChange(bit: mode_t) throws {
    let (base, directory) = try Self.make()
    let isChange = bit & 0o022 != 0
    for (name, mode, kind, read) in [
      ("server.pub", 0o600, S_IFREG, Self.client),
      ("clients/client.pub", 0o600, S_IFREG, Self.list), ("clients", 0o700, S_IFDIR, Self.server),
    ] as [(String, mode_t, mode_t, (String) -> KeyError?)] {
      let path = directory + "/" + name
      #expect(chmod(path, mode | bit) == 0)
      let expected = KeyError.open(path: path, owner: geteuid(), mode: kind | mode | bit)
      #expect(read(directory) == (isChange ? expected : nil), "\(name)")
      #expect(chmod(path, mode) == 0)
    }
    withExtendedLifetime(base) {}
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func filesOfOthersAreNotUsed() throws {
    let (base, directory) = try Self.make()
    for (name, read) in [
      ("server.key", Self.server), ("clients/client.pub", Self.list), ("clients", Self.server),
      ("server.pub", Self.client), ("client.key", Self.client),
    ] {
      let path = directory + "/" + name
      #expect(chown(path, 1, 0) == 0)
      guard case .open(path, 1, _)? = read(directory) else {
        Issue.record("\(name): \(String(describing: read(directory)))")
        continue
      }
      #expect(chown(path, geteuid(), getegid()) == 0)
    }
    #expect(Self.server(directory) == nil)
    #expect(Self.client(directory) == nil)
    withExtendedLifetime(base) {}
  }

  // MARK: - What is no key

  /// What can stand where a key should.
  enum Nuisance: String, CaseIterable {
    case empty, short, long, binary, directory, link, danglingLink, pipe, socket, changeable

    /// What reading it ends with; a link has mode 0777.
    func error(_ path: String) -> KeyError {
      let kind: mode_t? =
        switch self {
        case .empty, .short, .long, .binary, .changeable: nil
        case .directory: S_IFDIR | 0o700
        case .link, .danglingLink: S_IFLNK | 0o777
        case .pipe: S_IFIFO | 0o600
        case .socket: S_IFSOCK | 0o600
        }
      if let kind { return .wrongKind(path: path, mode: kind) }
      return self == .changeable
        ? .open(path: path, owner: geteuid(), mode: S_IFREG | 0o622) : .malformed(path: path)
    }

    /// Puts it at a path; `key` is a good key, and `elsewhere` a file that holds it.
    func put(_ path: String, key: String, elsewhere: String) throws {
      switch self {
      case .empty: try KeyFileTests.put("", path)
      case .short: try KeyFileTests.put(String(key.dropLast()), path)
      // What is read of it is a key.
      case .long: try KeyFileTests.put(key + String(repeating: " ", count: 88) + "\n" + key, path)
      case .binary:
        let bytes = Data((0..<40).map { $0 * 6 })
        #expect(FileManager.default.createFile(atPath: path, contents: bytes))
        #expect(chmod(path, 0o600) == 0)
      case .directory: #expect(mkdir(path, 0o700) == 0)
      case .link: #expect(symlink(elsewhere, path) == 0)
      case .danglingLink: #expect(symlink("/nowhere", path) == 0)
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      case .socket:
        let listener = linux_listen(path, 1)
        #expect(listener >= 0)
        close(listener)
        #expect(chmod(path, 0o600) == 0)
      case .changeable:
        try KeyFileTests.put(key, path)
        #expect(chmod(path, 0o622) == 0)
      }
    }
  }

  /// Each of the four key files, and what stands in its place: nothing is followed, and nothing waited for.
  @Test(arguments: Nuisance.allCases) func whatIsNoKeyIsNotRead(nuisance: Nuisance) throws {
    for (name, read) in [
      ("server.key", Self.server), ("clients/client.pub", Self.list), ("server.pub", Self.client),
      ("client.key", Self.client),
    ] {
      let (base, directory) = try Self.make()
      let (path, elsewhere) = (directory + "/" + name, base.path + "/elsewhere")
      let key = String(try Self.text(path).dropLast())
      #expect(rename(path, elsewhere) == 0)
      try nuisance.put(path, key: key, elsewhere: elsewhere)
      let found = try within("\(nuisance) in place of \(name)") { read(directory) }
      #expect(found == nuisance.error(path), "\(name)")
      #expect(remove(path) == 0)
      #expect(rename(elsewhere, path) == 0)
      #expect(read(directory) == nil)
      withExtendedLifetime(base) {}
    }
  }

  @Test func fileThatIsMissingIsSaid() throws {
    let (base, directory) = try Self.make()
    for (name, read) in [
      ("server.key", Self.server), ("server.pub", Self.client), ("client.key", Self.client),
    ] {
      let path = directory + "/" + name
      #expect(rename(path, base.path + "/elsewhere") == 0)
      #expect(read(directory) == .system(SystemCallError(call: "open", path: path, errno: ENOENT)))
      #expect(rename(base.path + "/elsewhere", path) == 0)
    }
    withExtendedLifetime(base) {}
  }

  @Test func listOfClientsIsADirectory() throws {
    let (base, directory) = try Self.make()
    let (path, elsewhere) = (directory + "/clients", base.path + "/elsewhere")
    #expect(rename(path, elsewhere) == 0)
    #expect(
      Self.server(directory) == .system(SystemCallError(call: "lstat", path: path, errno: ENOENT)))
    for nuisance in [Nuisance.link, .danglingLink, .pipe, .socket] {
      try nuisance.put(path, key: "", elsewhere: elsewhere)
      #expect(Self.server(directory) == nuisance.error(path))
      #expect(unlink(path) == 0)
    }
    #expect(rename(elsewhere, path) == 0)
    #expect(Self.server(directory) == nil)
    withExtendedLifetime(base) {}
  }

  /// What stands around a key's forty characters: a person may have edited the file.
  @Test func whiteSpaceAroundAKeyIsNothing() throws {
    let (base, directory) = try Self.make()
    let path = directory + "/server.key"
    let server = try CurveKeys.server(directory: directory)
    let key = String(try Self.text(path).dropLast())
    let spaces = String(repeating: " ", count: 88)
    for text in [key, key + "\n\n", "\n \t" + key + " \r\n", spaces + key] {
      try Self.put(text, path)
      #expect(try CurveKeys.server(directory: directory) == server)
    }
    // A byte further, and the file is longer than what is read of it.
    for text in [
      " " + spaces + key, key + " x", "x " + key, key + "x", String(key.dropLast()), "# " + key,
    ] {
      try Self.put(text, path)
      #expect(Self.server(directory) == .malformed(path: path), "\(text.utf8.count) bytes")
    }
    withExtendedLifetime(base) {}
  }

  // MARK: - The list

  @Test func listIsOfFilesOfKeysOnly() throws {
    let (base, directory) = try Self.make()
    guard case .server(_, let clients) = try CurveKeys.server(directory: directory) else { return }
    let known = try clients.content()
    #expect(known.keys.count == 1)
    for name in ["README", ".hidden.pub", "client.pub.old", "pub", "client.key"] {
      try Self.put("no key", directory + "/clients/" + name)
    }
    #expect(try clients.content() == known)
    withExtendedLifetime(base) {}
  }

  /// One bad file concerns its own client, and nobody else.
  @Test(arguments: Nuisance.allCases) func badFileOnTheListIsSkipped(nuisance: Nuisance) throws {
    let (base, directory) = try Self.make()
    guard case .server(_, let clients) = try CurveKeys.server(directory: directory) else { return }
    let known = try clients.content().keys
    let bad = directory + "/clients/bad.pub"
    let (key, elsewhere) = (try CurveKeyPair().publicKey, base.path + "/elsewhere")
    try Self.put(key, elsewhere)
    try nuisance.put(bad, key: key, elsewhere: elsewhere)
    let content = try within("a list with \(nuisance)") { try clients.content() }
    #expect(content.keys == known)
    #expect(content.skipped == [nuisance.error(bad)])
    #expect(Self.server(directory) == nil)
    #expect(remove(bad) == 0)
    try Self.put(key, bad)
    #expect(try clients.content().keys == known.union([key]))
    #expect(try clients.content().skipped == [])
    withExtendedLifetime(base) {}
  }

  @Test(.enabled(if: geteuid() != 0, "root reads every file"))
  func fileThatCannotBeReadIsSkipped() throws {
    let (base, directory) = try Self.make()
    let path = directory + "/clients/client.pub"
    #expect(chmod(path, 0) == 0)
    let refusal = SystemCallError(call: "open", path: path, errno: EACCES)
    #expect(Self.list(directory) == .system(refusal))
    withExtendedLifetime(base) {}
  }

  /// A file that goes while the list is read is off the list, and no fault.
  @Test func fileThatVanishesIsOffTheList() throws {
    let (base, directory) = try Self.make()
    guard case .server(_, let clients) = try CurveKeys.server(directory: directory) else { return }
    let known = try clients.content().keys
    let (key, path) = (try CurveKeyPair().publicKey, directory + "/clients/second.pub")
    try Self.put(key, directory + "/second")
    let isOver = Monitor(false)
    let restless = try TestThread("a file that comes and goes") {
      while !isOver.read({ $0 }) {
        link(directory + "/second", path)
        unlink(path)
      }
    }
    for _ in 0..<2_000 {
      let content = try clients.content()
      #expect(content.keys.subtracting([key]) == known)
      #expect(content.skipped == [])
    }
    isOver.change { $0 = true }
    try restless.join()
    withExtendedLifetime(base) {}
  }

  @Test func listIsBounded() throws {
    let (base, directory) = try Self.make()
    guard case .server(_, let clients) = try CurveKeys.server(directory: directory) else { return }
    for index in 1..<1_024 {
      try Self.put(CurveKeyPair().publicKey, directory + "/clients/c\(index).pub")
    }
    #expect(try clients.content().keys.count == 1_024)
    #expect(try !clients.content().isCut)
    for index in 1_024..<1_030 {
      try Self.put(CurveKeyPair().publicKey, directory + "/clients/c\(index).pub")
    }
    #expect(try clients.content().keys.count == 1_024)
    #expect(try clients.content().isCut)
    withExtendedLifetime(base) {}
  }
}
