// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Applies transitions to views' own values.
///
///     p(away) = away·(c1 + away·(c2 + away·(c3 + away·c4)))          for each of the five below
///     opacity = own·(1 + p)        scale = own·(1 + p)        blur = own + p
///     x = s·own + p,  y = s·own + p        with s = 1 + p of the scale
///
/// `away` is 0 for a view at identity and 1 for one that is gone; a spring overshoots both. Per entity:
/// 104 bytes read, 20 written; bound by memory. Where one group of coefficients is for all, 24 are read.
func evaluateTransitions(
  count: UInt32, away: UnsafePointer<Float>, coefficients: UnsafePointer<Float>, stride: UInt32,
  own: kernel_view_columns, result: kernel_view_columns
) {
  let aways = groups(away)
  // One group of coefficients, or one for each group of views.
  let step = Int(stride) > Lanes.scalarCount ? 1 : 0
  let wholeGroups = Int(count) / Lanes.scalarCount
  for i in 0..<wholeGroups {
    let values = transition(
      groups(own.x)[i], groups(own.y)[i], groups(own.opacity)[i], groups(own.scale)[i],
      groups(own.blur)[i], away: aways[i], groups(coefficients) + i * step,
      stride: Int(stride) / Lanes.scalarCount)
    groups(result.x)[i] = values.x
    groups(result.y)[i] = values.y
    groups(result.opacity)[i] = values.opacity
    groups(result.scale)[i] = values.scale
    groups(result.blur)[i] = values.blur
  }
  if Int(count) % Lanes.scalarCount != 0 {
    let i = wholeGroups
    let values = transition(
      groups(own.x)[i], groups(own.y)[i],
      groups(own.opacity)[i], groups(own.scale)[i],
      groups(own.blur)[i], away: aways[i], groups(coefficients) + i * step,
      stride: Int(stride) / Lanes.scalarCount)
    storeTail(values.x, result.x, count: count)
    storeTail(values.y, result.y, count: count)
    storeTail(values.opacity, result.opacity, count: count)
    storeTail(values.scale, result.scale, count: count)
    storeTail(values.blur, result.blur, count: count)
  }
}

/// One lane group.
@inline(__always)
private func transition(
  _ x: Lanes, _ y: Lanes, _ opacity: Lanes, _ scale: Lanes, _ blur: Lanes, away: Lanes,
  _ coefficients: UnsafePointer<Lanes>, stride: Int
) -> (x: Lanes, y: Lanes, opacity: Lanes, scale: Lanes, blur: Lanes) {
  @inline(__always)
  func polynomial(_ first: Int) -> Lanes {
    let c = coefficients + 4 * first * stride
    let outer = c[2 * stride] + away * c[3 * stride]
    let inner = c[0] + away * (c[stride] + away * outer)
    return away * inner
  }
  let factor = 1 + polynomial(3)
  return (
    factor * x + polynomial(0), factor * y + polynomial(1), opacity * (1 + polynomial(2)),
    scale * factor, blur + polynomial(4)
  )
}
