// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: sim and subscribers of different users do not meet, whatever the file modes say.
///
/// Method: Perl as user 65534 at the other end of the socket, where this process may start it so.
@Suite(
  .serialized,
  .enabled(if: geteuid() == 0 && access("/usr/bin/perl", X_OK) == 0, "needs root and perl"))
struct ForeignUserTests {
  /// Runs Perl as nobody: `start` ends with the address of `path` in `$a` and a socket in `S`.
  private static func nobody(_ path: String, _ script: String) throws -> Helper {
    let start = """
      use Socket; $( = 65534; $) = "65534 65534"; $< = 65534; $> = 65534;
      die "still root" if $> == 0; $| = 1;
      socket(S, AF_UNIX, SOCK_SEQPACKET, 0) or die;
      setsockopt(S, SOL_SOCKET, SO_RCVTIMEO, pack("l!l!", 10, 0)) or die; my $a = pack_sockaddr_un($ARGV[0]);
      """
    return try Helper("/usr/bin/perl", ["-e", start + script, path])
  }

  @Test func simHangsUpOnAForeignSubscriber() throws {
    let ring = try ServedRing()
    // Everybody may reach the socket: only the credentials are left to refuse.
    for path in [ring.base.path, ring.directory.path] { chmod(path, 0o755) }
    chmod(ring.directory.joinPath, 0o777)
    let helper = try Self.nobody(
      ring.directory.joinPath,
      """
      connect(S, $a) or die "connect $!"; print "connected\\n";
      my $n = sysread(S, my $b, 100); print defined $n ? "end $n\\n" : "error\\n";
      """)
    #expect(try helper.readLine("word that it is connected") == "connected")
    #expect(try helper.readLine("the end of its connection") == "end 0")
    #expect(ring.subscribers.joinedCount == 0)
    try helper.kill()
  }

  @Test func subscriberRefusesAForeignSim() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    for path in [base.path, directory.path] {
      mkdir(path, 0o777)
      chmod(path, 0o777)
    }
    let helper = try Self.nobody(
      directory.joinPath,
      """
      bind(S, $a) or die "bind $!"; chmod 0777, $ARGV[0]; listen(S, 4) or die;
      print "listening\\n"; <STDIN>;
      """)
    #expect(try helper.readLine("word that it listens") == "listening")
    #expect(throws: FrameError.foreignUser(found: 65_534, expected: 0)) {
      _ = try JoinConnection(directory)
    }
    try helper.kill()
  }
}
