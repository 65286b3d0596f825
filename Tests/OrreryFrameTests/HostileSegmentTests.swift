// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: no segment, however corrupt, makes a reader trap or look outside it; and a reader cannot
/// change the ring.
///
/// Method: copy a good ring into a memory file of the test's own, change one field at a time to
/// boundary values, and open it; then attack the descriptor that the join socket hands out.
@Suite struct HostileSegmentTests {
  /// A good ring's bytes after three frames.
  private static func goodSegment() throws -> [UInt8] {
    let writer = try FrameWriter(
      counts: [8, 3], formats: [.float32, .fixed16(unit: 0.125)], slots: 2, staticPart: [9, 8, 7])
    for _ in 0..<3 { writer.publishNext() }
    var bytes = [UInt8](repeating: 0, count: Int(writer.segmentBytes))
    let count = pread(writer.descriptor.number, &bytes, bytes.count, 0)
    try #require(count == bytes.count)
    return bytes
  }

  /// A memory file with these bytes.
  private static func file(_ bytes: [UInt8], isSealed: Bool = true) throws -> FileDescriptor {
    let file = FileDescriptor(
      owning: try systemCall("memfd_create", "test") { linux_memory_file("orrery-test") })
    try systemCall("ftruncate", "test") { ftruncate(file.number, bytes.count) }
    try systemCall("pwrite", "test") { pwrite(file.number, bytes, bytes.count, 0) }
    if isSealed { try systemCall("fcntl", "test") { linux_seal_against_readers(file.number) } }
    return file
  }

  /// Opens a segment and, where that works, uses everything it offers.
  private static func open(_ bytes: [UInt8], saying segmentBytes: UInt64? = nil) throws {
    let file = try file(bytes)
    let reader = try FrameReader(
      descriptor: file, segmentBytes: segmentBytes ?? UInt64(bytes.count))
    var sum = reader.staticPart.reduce(0) { $0 &+ UInt64($1) } &+ reader.generation
    _ = reader.hasEnded
    let newest = reader.published
    for sequence in [1, 2, 3, 4, newest, newest + 1, newest / 2 + 1, .max] where sequence > 0 {
      guard case .frame(let view) = reader.acquire(sequence) else { continue }
      sum &+= view.stamp().tick
      let values = FloatColumns(reader.layout)
      for index in reader.layout.columns.indices {
        sum &+= values.values(index, in: view.bytes).reduce(0) { $0 &+ UInt64($1.bitPattern) }
      }
      _ = reader.isWhole(view)
    }
    withExtendedLifetime(sum) {}
  }

  /// Changes a field of so many bytes.
  private static func patch(
    _ bytes: [UInt8], at offset: Int, size: Int, to value: UInt64
  ) -> [UInt8] {
    var bytes = bytes
    for index in 0..<size {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
    }
    return bytes
  }

  private static func load(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
  }

  /// Values at which arithmetic goes wrong, and neighbours of the right one.
  private static func boundaries(around value: UInt64) -> [UInt64] {
    let fixed: [UInt64] = [
      0, 1, 2, 3, 63, 64, 4095, 4096, 4097, 65_535, 65_536, 65_537, 1 << 31 - 1, 1 << 31,
      1 << 32 - 1, 1 << 32, 1 << 62, 1 << 63 - 1, 1 << 63, .max - 4095, .max - 1, .max,
    ]
    return fixed + [value &- 1, value &+ 1, value &* 2, value ^ 1 << 20, value &+ 4096]
  }

  /// Header fields, and whether every other value is an error.
  private static let fields: [(name: String, offset: Int, size: Int, isChecked: Bool)] = [
    ("magic", 0, 8, true), ("layout_version", 8, 4, true), ("delivery", 12, 4, true),
    ("segment_bytes", 16, 8, true), ("generation", 24, 8, false), ("layout_hash", 32, 8, true),
    ("columns_offset", 40, 8, true), ("column_count", 48, 4, true), ("slot_count", 52, 4, true),
    ("directory_offset", 56, 8, true), ("static_offset", 64, 8, true),
    // Fewer static bytes can be right: it is the message in them that has to be checked.
    ("static_bytes", 72, 8, false), ("places_offset", 80, 8, true), ("place_stride", 88, 8, true),
    ("frame_bytes", 96, 8, true), ("look_ahead", 104, 4, true),
    ("spare_count", 108, 4, true), ("clock_offset_ns", 112, 8, false), ("published", 128, 8, false),
    ("ended", 192, 8, false),
  ]

  @Test func goodSegmentOpens() throws {
    try Self.open(Self.goodSegment())
  }

  @Test(arguments: fields.indices)
  func corruptHeaderFieldIsAnError(index: Int) throws {
    let field = Self.fields[index]
    let good = try Self.goodSegment()
    let right = Self.load(good, at: field.offset, size: field.size)
    let limit: UInt64 = field.size == 8 ? .max : 1 << 32 - 1
    for value in Self.boundaries(around: right) where value <= limit && value != right {
      // Delivery has two right values.
      if field.name == "delivery", value == 1 { continue }
      let bytes = Self.patch(good, at: field.offset, size: field.size, to: value)
      do {
        try Self.open(bytes)
        #expect(!field.isChecked, "\(field.name) = \(value) was accepted")
      } catch let error as FrameError {
        #expect(
          !["generation", "clock_offset_ns", "published"].contains(field.name), "\(error)")
      }
    }
  }

  @Test func corruptColumnTableIsAnError() throws {
    let good = try Self.goodSegment()
    for column in 0..<2 {
      for (name, at, size) in [
        ("batch", 0, 4), ("field", 4, 4), ("first_entity", 8, 4), ("value_count", 12, 4),
        ("values_offset", 16, 8), ("format", 24, 4), ("unit", 28, 4),
      ] {
        let offset = 4096 + column * 32 + at
        let right = Self.load(good, at: offset, size: size)
        let limit: UInt64 = size == 8 ? .max : 1 << 32 - 1
        for value in Self.boundaries(around: right) where value <= limit && value != right {
          #expect(throws: FrameError.self, "columns[\(column)].\(name) = \(value)") {
            try Self.open(Self.patch(good, at: offset, size: size, to: value))
          }
        }
      }
    }
  }

  @Test func corruptSlotStateNeverTraps() throws {
    let good = try Self.goodSegment()
    for slot in 0..<2 {
      for at in [0, 8, 16] {
        let offset = 8192 + slot * 64 + at
        for value in Self.boundaries(around: Self.load(good, at: offset, size: 8)) {
          try Self.open(Self.patch(good, at: offset, size: 8, to: value))
        }
      }
    }
  }

  @Test func publishedBeyondReasonIsNoOverflow() throws {
    let bytes = Self.patch(try Self.goodSegment(), at: 128, size: 8, to: .max)
    let file = try Self.file(bytes)
    let reader = try FrameReader(descriptor: file, segmentBytes: UInt64(bytes.count))
    #expect(reader.published == FrameReader.sequenceMax)
    #expect(reader.acquire(.max).summary == "not yet")
    #expect(reader.acquire(1).summary == "lapped, oldest \(FrameReader.sequenceMax)")
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func randomHeadersNeverTrap(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let good = try Self.goodSegment()
    for _ in 0..<(200 * testEffort) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Header, column table or slot directory.
        let page = [0, 4096, 8192].randomElement(using: &random) ?? 0
        let offset = page + Int.random(in: 0..<256, using: &random)
        bytes[offset] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        try Self.open(bytes)
      } catch is FrameError {
        continue
      }
    }
  }

  @Test func errorsSayWhatIsWrong() throws {
    let good = try Self.goodSegment()
    #expect(throws: FrameError.notARing(found: 7)) {
      try Self.open(Self.patch(good, at: 0, size: 8, to: 7))
    }
    #expect(throws: FrameError.layoutVersion(found: 1, expected: 3)) {
      try Self.open(Self.patch(good, at: 8, size: 4, to: 1))
    }
    #expect(throws: FrameError.corruptHeader(field: "delivery", value: 2)) {
      try Self.open(Self.patch(good, at: 12, size: 4, to: 2))
    }
    #expect(throws: FrameError.corruptHeader(field: "slot_count", value: 1)) {
      try Self.open(Self.patch(good, at: 52, size: 4, to: 1))
    }
    #expect(throws: FrameError.corruptHeader(field: "columns[1].field", value: 128)) {
      try Self.open(Self.patch(good, at: 4096 + 32 + 4, size: 4, to: 128))
    }
    #expect(throws: FrameError.corruptHeader(field: "look_ahead", value: 1)) {
      try Self.open(Self.patch(good, at: 104, size: 4, to: 1))
    }
    #expect(throws: FrameError.corruptHeader(field: "columns[0].format", value: 2)) {
      try Self.open(Self.patch(good, at: 4096 + 24, size: 4, to: 2))
    }
    // More than there is, and as much as there is, which leaves nothing for the rest.
    let bytes = UInt64(good.count)
    #expect(throws: FrameError.corruptHeader(field: "static_bytes", value: bytes + 1)) {
      try Self.open(Self.patch(good, at: 72, size: 8, to: bytes + 1))
    }
    #expect(throws: FrameError.corruptHeader(field: "segment_bytes", value: bytes)) {
      try Self.open(Self.patch(good, at: 72, size: 8, to: bytes))
    }
    // A unit that is no power of two, below zero, no number, or too small or large for exact products.
    for unit in [0, -0.125, 0.126, 3, .nan, .infinity, 0x1p113, 0x1p-127] as [Float] {
      #expect(throws: FrameError.corruptHeader(field: "columns[1].format", value: 1)) {
        let bits = UInt64(unit.bitPattern)
        try Self.open(Self.patch(good, at: 4096 + 32 + 28, size: 4, to: bits))
      }
    }
  }

  @Test func fileThatIsNotSealedIsRefused() throws {
    let bytes = try Self.goodSegment()
    let file = try Self.file(bytes, isSealed: false)
    #expect(throws: FrameError.notSealed) {
      _ = try FrameReader(descriptor: file, segmentBytes: UInt64(bytes.count))
    }
    // A file that could shrink would be a SIGBUS waiting, so one seal of the two is not enough.
    for seals in [Self.sealGrow, Self.sealShrink] {
      let half = try Self.file(bytes, isSealed: false)
      #expect(fcntl(half.number, Self.addSeals, seals) == 0)
      #expect(throws: FrameError.notSealed) {
        _ = try FrameReader(descriptor: half, segmentBytes: UInt64(bytes.count))
      }
    }
    let device = FileDescriptor(owning: Glibc.open("/dev/zero", O_RDONLY | O_CLOEXEC))
    #expect(throws: FrameError.notSealed) {
      _ = try FrameReader(descriptor: device, segmentBytes: 4096)
    }
  }

  @Test func fileOfAnotherLengthIsRefused() throws {
    let good = try Self.goodSegment()
    for count in [0, 1, 255, 256, 4095, 4096, 8192, good.count - 4096, good.count - 1] {
      let short = Array(good.prefix(count))
      #expect(throws: FrameError.self, "\(count) bytes") { try Self.open(short) }
      #expect(throws: FrameError.self, "\(count) bytes") {
        try Self.open(short, saying: UInt64(good.count))
      }
    }
    #expect(throws: FrameError.self) { try Self.open(good + [0]) }
    for said in [0, 1, 255, 256, UInt64(good.count) + 1, 1 << 63 - 1, 1 << 63, .max] {
      #expect(throws: FrameError.corruptHeader(field: "segment_bytes", value: said)) {
        try Self.open(good, saying: said)
      }
    }
  }

  private typealias Fallocate = @convention(c) (CInt, CInt, off_t, off_t) -> CInt

  /// The function that glibc's headers show to GNU sources only.
  private static func fallocate() throws -> Fallocate {
    unsafeBitCast(try #require(dlsym(nil, "fallocate")), to: Fallocate.self)
  }

  /// From linux/fcntl.h, whose macros Swift does not see.
  private static let addSeals: CInt = 1033
  private static let sealShrink: CInt = 2
  private static let sealGrow: CInt = 4

  @Test
  func descriptorOfAReaderCannotChangeTheRing() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    let connection = try RawConnection(ring.directory)
    connection.send(joinRequest())
    let (reply, attached) = connection.receive()
    #expect(reply.count == 64)
    try #require(attached >= 0)
    let descriptor = FileDescriptor(owning: attached)
    let number = descriptor.number
    let bytes = Int(ring.writer.segmentBytes)

    func refused(_ attack: String, _ numbers: Set<CInt>, _ result: Int) {
      let number = errno
      #expect(result == -1, "\(attack) succeeded")
      #expect(numbers.contains(number), "\(attack): errno \(number)")
    }
    func map(_ protection: CInt, _ flags: CInt) -> UnsafeMutableRawPointer? {
      let base = mmap(nil, bytes, protection, flags, number, 0)
      return base == MAP_FAILED ? nil : base
    }
    refused(
      "mmap for writing", [EPERM, EACCES], map(PROT_READ | PROT_WRITE, MAP_SHARED) == nil ? -1 : 0)
    let base = try #require(map(PROT_READ, MAP_SHARED))
    defer { munmap(base, bytes) }
    refused("mprotect", [EACCES], Int(mprotect(base, bytes, PROT_READ | PROT_WRITE)))
    refused("madvise remove", [EACCES, EPERM], Int(madvise(base, bytes, 9)))
    refused("write", [EPERM], write(number, "x", 1))
    refused("pwrite", [EPERM], pwrite(number, "x", 1, 0))
    refused("truncate to nothing", [EPERM], Int(ftruncate(number, 0)))
    refused("grow", [EPERM], Int(ftruncate(number, bytes * 2)))
    // FALLOC_FL_PUNCH_HOLE with FALLOC_FL_KEEP_SIZE, and FALLOC_FL_ZERO_RANGE.
    let fallocate = try Self.fallocate()
    refused("punch a hole", [EPERM], Int(fallocate(number, 3, 0, bytes)))
    refused("zero a range", [EPERM, EOPNOTSUPP], Int(fallocate(number, 0x10, 0, bytes)))
    for seals in [1, 2, 4, 8, 16] as [CInt] {
      refused("add seal \(seals)", [EPERM], Int(fcntl(number, Self.addSeals, seals)))
    }
    let again = Glibc.open("/proc/self/fd/\(number)", O_RDWR | O_CLOEXEC)
    if again >= 0 {
      let reopened = FileDescriptor(owning: again)
      refused("write through /proc", [EPERM], pwrite(reopened.number, "x", 1, 0))
      refused("truncate through /proc", [EPERM], Int(ftruncate(reopened.number, 0)))
    }
    // And the ring is as good as before.
    let reader = try FrameReader(descriptor: descriptor, segmentBytes: UInt64(bytes))
    #expect(reader.acquire(1).view?.holdsTestValues(reader.layout) == true)
    ring.writer.publishNext()
    #expect(reader.acquire(2).view?.holdsTestValues(reader.layout) == true)
  }
}

// MARK: - Each field by its name

extension HostileSegmentTests {
  /// A reader of a segment with some bytes changed.
  private static func reader(_ bytes: [UInt8]) throws -> FrameReader {
    let file = try file(bytes)
    return try FrameReader(descriptor: file, segmentBytes: UInt64(bytes.count))
  }

  /// Fields and one wrong value of each, which the error says.
  static let wrong: [(name: String, offset: Int, size: Int, value: UInt64)] = [
    ("delivery", 12, 4, 2), ("segment_bytes", 16, 8, 17_665), ("layout_hash", 32, 8, 7),
    ("columns_offset", 40, 8, 8_192), ("column_count", 48, 4, 65_537),
    ("slot_count", 52, 4, 65_537), ("directory_offset", 56, 8, 4_096),
    ("static_offset", 64, 8, 8_192), ("places_offset", 80, 8, 12_288),
    ("place_stride", 88, 8, 641), ("frame_bytes", 96, 8, 199), ("frame_bytes", 96, 8, 1 << 31),
    ("look_ahead", 104, 4, 1), ("spare_count", 108, 4, 65_537),
    ("columns[1].values_offset", 4_096 + 32 + 16, 8, 193),
  ]

  @Test(arguments: wrong.indices)
  func wrongFieldIsNamedWithItsValue(index: Int) throws {
    let (name, offset, size, value) = Self.wrong[index]
    let bytes = Self.patch(try Self.goodSegment(), at: offset, size: size, to: value)
    #expect(throws: FrameError.corruptHeader(field: name, value: value)) { try Self.open(bytes) }
  }

  /// As much as there may be is no fault of the field: the segment is too short for it.
  @Test(
    arguments: [(48, 4, 65_536), (52, 4, 65_536), (96, 8, 1 << 31 - 1), (108, 4, 65_536)]
      as [(Int, Int, UInt64)])
  func fieldAtItsLimitIsNotWrongByItself(offset: Int, size: Int, value: UInt64) throws {
    let good = try Self.goodSegment()
    let error = FrameError.corruptHeader(field: "segment_bytes", value: UInt64(good.count))
    #expect(throws: error) {
      try Self.open(Self.patch(good, at: offset, size: size, to: value))
    }
  }

  @Test func segmentAsShortAsAHeaderIsLookedAt() throws {
    #expect(throws: FrameError.notARing(found: 0)) {
      try Self.open([UInt8](repeating: 0, count: 256))
    }
    #expect(throws: FrameError.corruptHeader(field: "segment_bytes", value: 255)) {
      try Self.open([UInt8](repeating: 0, count: 255))
    }
  }
}

// MARK: - Words

extension HostileSegmentTests {
  /// A byte that is set to 2, and what a reader sees then.
  @Test(
    arguments: [
      (127, 3, false), (128, 2, false), (129, 515, false), (136, 3, false), (191, 3, false),
      (192, 3, true), (199, 3, true), (200, 3, false),
    ] as [(Int, UInt64, Bool)])
  func wordsStandWhereTheHeaderSaysAndNowhereElse(
    offset: Int, published: UInt64, hasEnded: Bool
  ) throws {
    let reader = try Self.reader(Self.patch(Self.goodSegment(), at: offset, size: 1, to: 2))
    #expect(reader.published == published)
    #expect(reader.hasEnded == hasEnded)
  }

  /// Frame 1 was overwritten, whatever the ring says of the newest.
  @Test(arguments: [(0, 1), (1, 1), (2, 2), (3, 3), (4, 4)] as [(UInt64, UInt64)])
  func oldestFrameFollowsTheNewestOne(published: UInt64, oldest: UInt64) throws {
    let reader = try Self.reader(Self.patch(Self.goodSegment(), at: 128, size: 8, to: published))
    #expect(reader.acquire(1).summary == "lapped, oldest \(oldest)")
  }

  @Test func lastSequenceIsOneLikeAnyOther() throws {
    let last: UInt64 = 1 << 62
    #expect(FrameReader.sequenceMax == last)
    for (sequence, isThere) in [(last - 2, true), (last, true), (last + 2, false)] {
      var bytes = try Self.goodSegment()
      for word in [0, 8] { bytes = Self.patch(bytes, at: 8_192 + word, size: 8, to: sequence) }
      let view = try Self.reader(bytes).acquire(sequence).view
      #expect((view != nil) == isThere, "sequence \(sequence)")
    }
  }

  /// A slot may name the last spare place, and no place behind it.
  @Test(
    arguments: [(0, true), (1, true), (2, true), (3, false), (.max, false)] as [(UInt64, Bool)])
  func slotNamesAPlaceOfTheRing(place: UInt64, isThere: Bool) throws {
    let writer = try FrameWriter(slots: 2, spares: 1)
    for _ in 0..<3 { writer.publishNext() }
    var bytes = [UInt8](repeating: 0, count: Int(writer.segmentBytes))
    try #require(pread(writer.descriptor.number, &bytes, bytes.count, 0) == bytes.count)
    // Slot 1, which holds frame 3.
    let reader = try Self.reader(Self.patch(bytes, at: 8_192 + 64 + 16, size: 8, to: place))
    #expect((reader.acquire(3).view != nil) == isThere)
  }
}
