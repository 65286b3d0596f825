// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryBase

/// Why keys cannot be used or made.
package enum KeyError: ExitStatusError, Equatable, CustomStringConvertible {
  /// A system call failed.
  case system(SystemCallError)
  /// Another user owns the file, or may read or change it.
  case open(path: String, owner: UInt32, mode: UInt32)
  /// Something else than a plain file, or than the directory of clients, has the name.
  case wrongKind(path: String, mode: UInt32)
  /// The file does not hold forty characters of Z85.
  case malformed(path: String)
  /// A file exists that would be overwritten.
  case exists(path: String)
  /// ZeroMQ was built without CURVE, or has no source of random numbers.
  case noCurve(errno: CInt)

  package var description: String {
    switch self {
    case .system(let error):
      return error.description
    case .open(let path, let owner, let mode):
      return "\(path): must belong to this user and be closed to others (chmod go= it),"
        + " found owner \(owner), mode \(String(mode & 0o7777, radix: 8))"
    case .wrongKind(let path, let mode):
      return "\(path): is \(Self.kind(mode)); keys are plain files, and clients a directory of them"
    case .malformed(let path):
      return "\(path): not a CURVE key of 40 characters"
    case .exists(let path):
      return "\(path): is there already; --force replaces it"
    case .noCurve(let number):
      return "keys cannot be made: \(String(cString: zmq_strerror(number)))"
    }
  }

  private static func kind(_ mode: UInt32) -> String {
    switch mode & S_IFMT {
    case S_IFREG: "a plain file"
    case S_IFDIR: "a directory"
    case S_IFLNK: "a link"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}

extension KeyError {
  package var exitStatus: ExitStatus {
    switch self {
    case .open, .wrongKind: .notPermitted
    case .malformed: .badData
    case .system(let system): system.exitStatus
    case .exists: .inputOutput
    case .noCurve: .unavailable
    }
  }
}

/// A pair of CURVE keys in ZeroMQ's text format, Z85.
package struct CurveKeyPair: Equatable, Sendable {
  /// The key to give to peers.
  package let publicKey: String
  /// The key to keep.
  package let secretKey: String

  /// Generates a random pair.
  ///
  /// - Throws: `KeyError.noCurve`.
  package init() throws(KeyError) {
    var publicKey = [CChar](repeating: 0, count: 41)
    var secretKey = [CChar](repeating: 0, count: 41)
    guard zmq_curve_keypair(&publicKey, &secretKey) == 0 else {
      throw .noCurve(errno: zmq_errno())
    }
    self.publicKey = Self.text(publicKey)
    self.secretKey = Self.text(secretKey)
  }

  /// Reads a secret key from a file and computes its public key.
  ///
  /// - Throws: `KeyError`.
  init(secretFile path: String) throws(KeyError) {
    secretKey = try KeyFile.read(path, isSecret: true)
    var publicKey = [CChar](repeating: 0, count: 41)
    guard zmq_curve_public(&publicKey, secretKey) == 0 else { throw .malformed(path: path) }
    self.publicKey = Self.text(publicKey)
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// The keys of one side of a connection: its own, and those of the other side that it accepts.
///
///     DIR/server.key          secret key of the sim          0600, on the sim's machine only
///     DIR/server.pub          its public key                 on every machine
///     DIR/clients/NAME.pub    public keys that may connect   on the sim's machine
///     DIR/client.key          secret key of a client         0600, on the client's machine only
package enum CurveKeys: Equatable, Sendable {
  case server(CurveKeyPair, clients: AllowList)
  case client(CurveKeyPair, serverKey: String)

  /// Reads the keys of a sim.
  ///
  /// - Throws: `KeyError`.
  package static func server(directory: String) throws(KeyError) -> CurveKeys {
    let clients = AllowList(directory: directory + "/clients")
    _ = try clients.content()
    return .server(try CurveKeyPair(secretFile: directory + "/server.key"), clients: clients)
  }

  /// Reads the keys of a client.
  ///
  /// - Throws: `KeyError`.
  package static func client(directory: String) throws(KeyError) -> CurveKeys {
    let serverKey = try KeyFile.read(directory + "/server.pub", isSecret: false)
    return .client(
      try CurveKeyPair(secretFile: directory + "/client.key"), serverKey: serverKey)
  }

  /// Makes keys for a sim and one client, or for a further client.
  ///
  /// - Parameters:
  ///   - directory: Created if needed, for this user only.
  ///   - client: The client's name NAME; its secret key is in `NAME.key`.
  ///   - overwrites: Whether existing files are replaced.
  /// - Returns: The files written.
  /// - Throws: `KeyError`; no file has been written then, unless the disk failed.
  package static func generate(
    directory: String, client: String, overwrites: Bool
  ) throws(KeyError) -> [String] {
    try KeyFile.makePrivate(directory)
    try KeyFile.makePrivate(directory + "/clients")
    var files: [(path: String, text: String)] = []
    let hasServer = KeyFile.isThere(directory + "/server.key")
    // A further client is added to the existing sim, which keeps its key: other clients know it.
    if client == firstClient || !hasServer {
      let server = try CurveKeyPair()
      files.append((directory + "/server.key", server.secretKey))
      files.append((directory + "/server.pub", server.publicKey))
    }
    let pair = try CurveKeyPair()
    files.append((directory + "/\(client).key", pair.secretKey))
    files.append((directory + "/clients/\(client).pub", pair.publicKey))
    if !overwrites {
      for file in files where KeyFile.isThere(file.path) { throw .exists(path: file.path) }
    }
    for file in files { try KeyFile.write(file.text, to: file.path, overwrites: overwrites) }
    return files.map(\.path)
  }

  /// Default name of a client.
  package static let firstClient = "client"
}

/// Reading and writing of files that hold one key.
enum KeyFile {
  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Reads a key from a file that no other user can change or, if it is secret, read.
  static func read(_ path: String, isSecret: Bool) throws(KeyError) -> String {
    let number: CInt
    do throws(SystemCallError) {
      number = try systemCall("open", path) {
        open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      }
    } catch {
      // A link, or a socket: the path's own status says which.
      if error.errno == ELOOP || error.errno == ENXIO {
        try check(path, kind: S_IFREG, isSecret: isSecret)
      }
      throw .system(error)
    }
    let file = FileDescriptor(owning: number)
    var status = stat()
    guard fstat(file.number, &status) == 0 else {
      throw .system(SystemCallError(call: "fstat", path: path, errno: errno))
    }
    try check(status, path: path, kind: S_IFREG, isSecret: isSecret)
    guard status.st_size <= bytesMax else { throw .malformed(path: path) }
    var bytes = [UInt8](repeating: 0, count: bytesMax)
    do throws(SystemCallError) {
      let count = try systemCall("read", path) { Glibc.read(file.number, &bytes, bytes.count) }
      bytes.removeLast(bytes.count - count)
    } catch {
      throw .system(error)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let key = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
    var decoded = [UInt8](repeating: 0, count: 32)
    guard text.filter({ !$0.isWhitespace }).utf8.count == 40, key.utf8.count == 40,
      zmq_z85_decode(&decoded, String(key)) != nil
    else { throw .malformed(path: path) }
    return String(key)
  }

  /// A key has forty bytes; the rest is room for white space.
  private static let bytesMax = 128

  static func check(_ path: String, kind: mode_t, isSecret: Bool) throws(KeyError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw .system(SystemCallError(call: "lstat", path: path, errno: errno))
    }
    try check(status, path: path, kind: kind, isSecret: isSecret)
  }

  private static func check(
    _ status: stat, path: String, kind: mode_t, isSecret: Bool
  ) throws(KeyError) {
    guard status.st_mode & S_IFMT == kind else {
      throw .wrongKind(path: path, mode: status.st_mode)
    }
    let open: mode_t = isSecret ? 0o077 : 0o022
    guard status.st_uid == geteuid(), status.st_mode & open == 0 else {
      throw .open(path: path, owner: status.st_uid, mode: status.st_mode)
    }
  }

  /// Creates a directory for this user only, or checks the existing one.
  static func makePrivate(_ path: String) throws(KeyError) {
    do throws(SystemCallError) {
      try PrivateDirectory.make(path)
    } catch {
      throw .system(error)
    }
    try check(path, kind: S_IFDIR, isSecret: false)
  }

  /// Writes a file for this user only, completely or not at all.
  static func write(_ text: String, to path: String, overwrites: Bool) throws(KeyError) {
    do throws(SystemCallError) {
      try SmallFile.writePrivate(text, to: path, by: path + ".new", replaces: overwrites)
    } catch {
      throw .system(error)
    }
  }
}
