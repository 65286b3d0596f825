// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import Testing

/// Goal: bytes that were never filled come into no trace.
///
/// Method: exit tests, each a step beyond what the store holds; the last step within it is done first. A store has
/// a page at least: 4096 bytes.
@Suite struct ByteStoreTests {
  @Test func keepingMoreThanThereIsTraps() async {
    await #expect(processExitsWith: .success) {
      var store = ByteStore(capacity: 0)
      _ = store.room(for: 3)
      store.commit(3)
      store.truncate(to: 3)
      store.truncate(to: 2)
      store.truncate(to: 0)
      precondition(store.count == 0)
    }
    await #expect(processExitsWith: .failure) {
      var store = ByteStore(capacity: 0)
      store.commit(3)
      store.truncate(to: 4)
    }
    await #expect(processExitsWith: .failure) {
      var store = ByteStore(capacity: 0)
      store.commit(3)
      store.truncate(to: -1)
    }
  }

  @Test func takingMoreThanThereIsRoomForTraps() async {
    await #expect(processExitsWith: .success) {
      var store = ByteStore(capacity: 0)
      store.commit(0)
      store.commit(4_096)
      precondition(store.count == 4_096)
    }
    await #expect(processExitsWith: .failure) {
      var store = ByteStore(capacity: 0)
      store.commit(4_097)
    }
    // What is in use already has taken its part of the room.
    await #expect(processExitsWith: .failure) {
      var store = ByteStore(capacity: 0)
      store.commit(4_000)
      store.commit(97)
    }
    await #expect(processExitsWith: .failure) {
      var store = ByteStore(capacity: 0)
      store.commit(3)
      store.commit(-1)
    }
    await #expect(processExitsWith: .failure) {
      var store = ByteStore(capacity: 0)
      _ = store.room(for: -1)
    }
  }

  @Test func overwritingWhatIsNotThereTraps() async {
    await #expect(processExitsWith: .success) {
      var store = ByteStore(capacity: 0)
      store.commit(3)
      withUnsafeBytes(of: UInt16(7)) { store.replace(at: 1, with: $0) }
      precondition(store.count == 3)
    }
    await #expect(processExitsWith: .failure) {
      var store = ByteStore(capacity: 0)
      store.commit(3)
      withUnsafeBytes(of: UInt16(7)) { store.replace(at: 2, with: $0) }
    }
    await #expect(processExitsWith: .failure) {
      var store = ByteStore(capacity: 0)
      store.commit(3)
      withUnsafeBytes(of: UInt16(7)) { store.replace(at: -1, with: $0) }
    }
  }
}
