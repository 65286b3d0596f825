// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What programs that measure together send each other: values as lines of JSON.
package enum JSONLine {
  /// A value as a line, without its end.
  package static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A figure that is no number has no JSON; none is measured.
    let body = (try? encoder.encode(value)) ?? Data("{}".utf8)
    return String(decoding: body, as: UTF8.self)
  }

  /// The value of a line; nil if it is none.
  package static func read<Value: Decodable>(
    _ line: some Sequence<UInt8>, as type: Value.Type = Value.self
  ) -> Value? {
    try? JSONDecoder().decode(type, from: Data(line))
  }
}
