// SPDX-License-Identifier: Apache-2.0

extension PeerVariant {
  /// Limit of entities: objects take hundreds of times as long.
  private static let objectsMax = 1_000_000

  /// Two implementations with objects, a variant for each kind.
  package static let objects: [[PeerVariant]] = [
    objects("Swift, array of objects") { ClassPeer($0) },
    objects("Swift, library of objects") { LibraryPeer($0) },
  ]

  private static func objects(
    _ family: String, _ make: @escaping @Sendable (KernelTask) -> any PeerWork
  ) -> [PeerVariant] {
    KernelKind.single.map { kind in
      PeerVariant(
        family: family, name: "", kind: kind, traffic: nil, operations: 0,
        hasCenter: kind == .orbit, countMax: objectsMax, make: make)
    }
  }
}
