// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Brings an element into the cache, which may lie in two lines.
@inline(__always)
func prefetch<Element>(_ element: UnsafePointer<Element>) {
  let start = UnsafeRawPointer(element)
  linux_prefetch(start)
  linux_prefetch(start + MemoryLayout<Element>.size - 1)
}
