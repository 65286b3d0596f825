// SPDX-License-Identifier: Apache-2.0

/// A view in the place of the content that another one modifies.
public struct PlacedContent<Content: View, Modified: View>: View {
  private let content: Content
  private let modified: Modified

  init(_ content: Content, in modified: Modified) {
    self.content = content
    self.modified = modified
  }

  /// It has no body.
  public typealias Body = Never
}

extension PlacedContent: PrimitiveView {
  func described(_ moment: ViewMoment) -> ViewDescription {
    modified.description(moment.at(.modifier))
      .replacingContent(of: Content.self, by: content.description(moment.at(.content)))
  }
}
