// SPDX-License-Identifier: Apache-2.0

extension PeerVariant {
  /// Objects take hundreds of times as long: a million of them are enough.
  private static let objectsMax = 1_000_000

  /// The two ways to animate with objects, a variant for each kind.
  package static let objects: [[PeerVariant]] = [
    objects("Swift, array of objects") { ClassPeer($0) },
    objects("Swift, library of objects") { LibraryPeer($0) },
  ]

  private static func objects(
    _ family: String, _ make: @escaping @Sendable (KernelTask) -> any PeerWork
  ) -> [PeerVariant] {
    KernelKind.simple.map { kind in
      PeerVariant(
        family: family, name: "", kind: kind, traffic: nil, operations: 0,
        hasCenter: kind == .orbit, countMax: objectsMax, make: make)
    }
  }
}
