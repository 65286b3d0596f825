// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Network namespaces between which every packet takes 20 ms and one in a hundred is lost; removed with their owner.
///
/// A program passes the packets on, from a device of each namespace to another's: not every kernel can delay and lose
/// packets by itself.
final class LossyNetwork {
  /// Names of the namespaces.
  let machines: [String]
  private let relay: Program
  private let place: Place

  /// Whether this process may make namespaces and their devices.
  static let isPossible =
    geteuid() == 0 && access("/usr/sbin/ip", X_OK) == 0 && access("/dev/net/tun", R_OK | W_OK) == 0

  private static let script = """
    import ctypes, fcntl, heapq, os, random, select, struct, subprocess, sys, time
    numbers, names = random.Random(int(sys.argv[1])), sys.argv[2:]
    delay, loss, cables = 0.02, 0.01, {}
    for number, name in enumerate(names, 1):
        with open('/run/netns/' + name) as namespace:
            if ctypes.CDLL(None).setns(namespace.fileno(), 0):
                sys.exit('setns ' + name)
        cable = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
        # TUNSETIFF with IFF_TUN and IFF_NO_PI.
        fcntl.ioctl(cable, 0x400454ca, struct.pack('16sH', b'cable', 0x1001))
        for words in (['addr', 'add', '10.213.8.%d/24' % number, 'dev', 'cable'],
                      ['link', 'set', 'dev', 'cable', 'up']):
            subprocess.run(['/usr/sbin/ip'] + words, check=True)
        cables[bytes([10, 213, 8, number])] = cable
    print('ready', flush=True)
    waiting, count = [], 0
    while True:
        timeout = max(waiting[0][0] - time.monotonic(), 0) if waiting else None
        for cable in select.select(list(cables.values()), [], [], timeout)[0]:
            packet = os.read(cable, 2048)
            # Bytes 16 to 19 of an IPv4 packet are where it goes.
            if packet[16:20] in cables and numbers.random() >= loss:
                count += 1
                heapq.heappush(waiting, (time.monotonic() + delay, count, packet))
        while waiting and waiting[0][0] <= time.monotonic():
            packet = heapq.heappop(waiting)[2]
            try:
                os.write(cables[packet[16:20]], packet)
            except OSError:
                pass  # That cable is pulled out.
    """

  /// Makes machines and connects them.
  init(_ count: Int, seed: UInt64, in place: Place) throws {
    self.place = place
    let mark = String(UUID().uuidString.prefix(6)).lowercased()
    machines = (0..<count).map { "orrery-\($0)-" + mark }
    for machine in machines { try Self.ip(["netns", "add", machine], place) }
    relay = try Program(
      Program.python, ["-c", Self.script, "\(seed)"] + machines, in: place)
    relay.wait(for: "the network") { [relay] in relay.text.contains("ready") || !relay.isRunning }
    try #require(relay.isRunning, "\(relay.errorText)")
  }

  /// The address of a machine.
  static func address(_ machine: Int) -> String { "10.213.8.\(machine + 1)" }

  /// Pulls a machine's cable out, or puts it in again.
  func set(_ machine: Int, isUp: Bool) throws {
    try Self.ip(
      ["-n", machines[machine], "link", "set", "dev", "cable", isUp ? "up" : "down"], place)
  }

  /// Starts a program of Orrery's on a machine.
  func start(
    _ name: String, _ arguments: [String], on machine: Int, in place: Place
  ) throws -> Program {
    try Program(
      "/usr/sbin/ip",
      ["netns", "exec", machines[machine], Program.directory + "/" + name] + arguments, in: place)
  }

  private static func ip(_ words: [String], _ place: Place) throws {
    let outcome = try Program.run("/usr/sbin/ip", words, in: place)
    try #require(outcome.code == 0, "ip \(words): \(outcome.errorText)")
  }

  deinit {
    relay.signal(SIGKILL)
    for machine in machines { try? Self.ip(["netns", "del", machine], place) }
  }
}
