// SPDX-License-Identifier: Apache-2.0

/// A duration in a suitable unit.
package func duration(_ ns: UInt64) -> String {
  switch ns {
  case ..<1_000: "\(ns) ns"
  case ..<1_000_000: decimal(Double(ns) / 1e3, places: 1) + " µs"
  case ..<1_000_000_000: decimal(Double(ns) / 1e6, places: 2) + " ms"
  default: decimal(Double(ns) / 1e9, places: 2) + " s"
  }
}

/// A number with a given count of decimal places, the same in every locale.
package func decimal(_ value: Double, places: Int) -> String {
  let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
  guard value.isFinite, abs(value) < 1e15, abs(value) * scale < 0x1p63 else { return "\(value)" }
  let scaled = UInt64((abs(value) * scale).rounded())
  let whole = scaled / UInt64(scale)
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard places > 0 else { return "\(sign)\(whole)" }
  let fraction = String(scaled % UInt64(scale)).alignedRight(places, filler: "0")
  return "\(sign)\(whole).\(fraction)"
}

/// Bytes in megabytes, to a tenth exactly.
package func megabytes(_ bytes: UInt64) -> String {
  let tenths = (bytes + 50_000) / 100_000
  return "\(tenths / 10).\(tenths % 10)"
}
