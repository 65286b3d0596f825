// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBench
import TestSupport
import Testing

/// A library of peers is loaded with all that it says of itself, and each peer ends with its work.
///
/// Method: a small library, compiled as peers are, that stores its arguments into the columns.
@Suite struct PeerLibraryTests {
  /// Three variants, of which the second is of a kind that the bench does not have.
  private static let source = """
    extern "C" {
    struct Peer {
      int variant;
      unsigned long count;
      double tick_seconds;
      double last_radius;
      int ticks;
    };
    static int alive = 0;
    int peer_count(void) { return 3; }
    const char *peer_kind(int variant) {
      static const char *const kinds[] = {"orbit", "no such kind", "spring"};
      return kinds[variant];
    }
    const char *peer_name(int variant) {
      static const char *const names[] = {"first", "second", "third"};
      return names[variant];
    }
    int peer_number(int variant, int which) {
      static const int numbers[3][5] = {{8, 4, 16, 7, 1}, {0, 0, 0, 0, 0}, {1, 2, 3, 5, 0}};
      return numbers[variant][which];
    }
    void *peer_create(
      int variant, unsigned long count, double seconds, const double *const *columns) {
      alive++;
      return new Peer{variant, count, seconds, columns[2][count - 1], 0};
    }
    void peer_tick(void *pointer, float *const *columns) {
      Peer *peer = static_cast<Peer *>(pointer);
      columns[0][0] = ++peer->ticks;
      columns[0][1] = peer->count;
      columns[1][0] = peer->tick_seconds;
      columns[1][1] = peer->last_radius;
    }
    void peer_values(void *pointer, float *const *columns) {
      columns[0][2] = static_cast<Peer *>(pointer)->variant;
      columns[1][2] = alive;
    }
    void peer_destroy(void *pointer) {
      alive--;
      delete static_cast<Peer *>(pointer);
    }
    }

    """

  private func built(_ path: String) throws -> PeerBuild.Built {
    PeerBuild.Built(job: try #require(PeerBuild.jobs([.baseline]).last), path: path)
  }

  @Test(.enabled(if: Tool.compiler() != nil))
  func libraryIsLoadedWithAllThatItSaysOfItself() throws {
    let base = try TemporaryBase()
    let (source, path) = (base.path + "/peer.cpp", base.path + "/peer.so")
    try Self.source.write(toFile: source, atomically: true, encoding: .utf8)
    let compiler = try #require(Tool.compiler())
    let error = Tool.run(compiler.path, ["-shared", "-fPIC", "-o", path, source])
    try #require(error == nil, "\(error ?? "")")
    let library = try built(path)
    let variants = try #require(PeerLibrary.variants(of: library))
    try #require(variants.map(\.name) == ["first", "third"], "what is not known is left out")
    #expect(variants.map(\.kind) == [.orbit, .spring])
    #expect(variants.map(\.family) == [library.job.family, library.job.family])
    #expect(variants[0].traffic == Traffic(reads: 8, updates: 4, writes: 16))
    #expect(variants[1].traffic == Traffic(reads: 1, updates: 2, writes: 3))
    #expect(variants.map(\.operations) == [7, 5])
    #expect(variants.map(\.hasCenter) == [true, false])
    #expect(variants.map(\.countMax) == [.max, .max])

    let task = try KernelTask(.orbit, count: 5)
    let memory = FrameMemory(bytes: [64, 64], destinations: 1)
    defer { withExtendedLifetime(memory) {} }
    let columns = memory.floats(destination: 0)
    func call(_ body: (UnsafePointer<UnsafeMutablePointer<Float>?>) -> Void) {
      columns.withUnsafeBufferPointer { pointer in
        if let start = pointer.baseAddress { body(start) }
      }
    }
    let work = variants[0].make(task)
    var other: (any PeerWork)? = variants[1].make(task)
    for _ in 0..<2 { call { work.tick($0) } }
    #expect(columns[0]?[0] == 2, "ticks")
    #expect(columns[0]?[1] == 5, "entities")
    #expect(columns[1]?[0] == Float(KernelTask.tickSeconds))
    #expect(columns[1]?[1] == Float(task.columns[2][4]), "the last entity's radius")
    call { other?.values($0) }
    #expect(columns[0]?[2] == 2, "the other's variant")
    #expect(columns[1]?[2] == 2, "both are there")
    other = nil
    call { work.values($0) }
    #expect(columns[0]?[2] == 0)
    #expect(columns[1]?[2] == 1, "the other is not there any more")
  }

  /// Neither what cannot be loaded nor a library without the functions of a peer.
  @Test(arguments: ["/nonexistent/peer.so", "libc.so.6"])
  func whatIsNoLibraryOfPeersHasNoVariants(path: String) throws {
    let library = try built(path)
    #expect(PeerLibrary.variants(of: library) == nil)
  }
}
