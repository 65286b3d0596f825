// SPDX-License-Identifier: Apache-2.0

/// What pages ask for and this module cannot do; each is called on a thread of its own.
package struct PageWork: Sendable {
  /// Gives the sheet of a motion's text for the editor, or says what is wrong with it, as one line of JSON.
  let curve: @Sendable (_ spec: String) -> String

  /// Gives how the texts of an encoded layout look, as one line of JSON.
  let texts: @Sendable (_ layout: [UInt8]) -> String

  package init(
    curve: @escaping @Sendable (_ spec: String) -> String,
    texts: @escaping @Sendable (_ layout: [UInt8]) -> String
  ) {
    (self.curve, self.texts) = (curve, texts)
  }
}
