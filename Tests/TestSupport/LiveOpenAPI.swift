// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The schemas of docs/reference/live-openapi.json, which describes the server of `orrery live`.
package enum LiveOpenAPI {
  /// A schema of the file, with those that it refers to.
  ///
  /// - Parameter schema: As JSON decodes it; a text is the name of one.
  /// - Returns: The schema.
  /// - Throws: What reading the file meets.
  package static func schema(_ schema: Any?) throws -> JSONSchema {
    let data = try Repository.data("docs/reference/live-openapi.json")
    let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let components = document?["components"] as? [String: Any]
    var root = schema as? [String: Any] ?? ["$ref": "#/components/schemas/\(schema ?? "")"]
    root["$defs"] = components?["schemas"]
    return try JSONSchema(JSONSerialization.data(withJSONObject: root))
  }
}
