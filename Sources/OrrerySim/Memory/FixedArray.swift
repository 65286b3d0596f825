// SPDX-License-Identifier: Apache-2.0

/// A fixed number of elements in memory of their own, which is freed with its owner.
///
/// Unlike an array it is not retained and released whenever a loop reads it.
struct FixedArray<Element>: ~Copyable, @unchecked Sendable {
  /// The first element; valid for the lifetime of the array.
  let elements: UnsafeMutablePointer<Element>
  let count: Int

  init(_ elements: [Element]) {
    count = elements.count
    self.elements = Self.allocate(count)
    for (index, element) in elements.enumerated() {
      (self.elements + index).initialize(to: element)
    }
  }

  init(repeating element: Element, count: Int) {
    self.count = count
    elements = Self.allocate(count)
    elements.initialize(repeating: element, count: count)
  }

  deinit {
    elements.deinitialize(count: count)
    elements.deallocate()
  }

  /// Memory that begins at a cache line: elements of up to a line's size, a power of two, lie in one each.
  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Element> {
    let bytes = max(count, 1) * MemoryLayout<Element>.stride
    return UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
      .bindMemory(to: Element.self, capacity: max(count, 1))
  }

  var indices: Range<Int> { 0..<count }

  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count, "element \(index) of \(count)")
      return elements[index]
    }
    nonmutating set {
      assert(index >= 0 && index < count, "element \(index) of \(count)")
      elements[index] = newValue
    }
  }
}

extension FixedArray where Element: BitwiseCopyable {
  /// Elements that are written before they are read.
  init(uninitializedCount count: Int) {
    self.count = count
    elements = Self.allocate(count)
  }
}
