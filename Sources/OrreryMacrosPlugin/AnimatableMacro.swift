// SPDX-License-Identifier: Apache-2.0

#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// Writes `animatableData` for the stored variables of a type.
  struct AnimatableMacro: MemberMacro, ExtensionMacro {
    static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let variables = StoredVariable.all(of: declaration, in: context)
      guard let first = variables.first else { return [] }
      let isPublic = declaration.modifiers.contains {
        [.keyword(.public), .keyword(.open)].contains($0.name.tokenKind)
      }
      let access = isPublic ? "public " : ""
      guard variables.count > 1 else {
        return [
          """
          \(raw: access)var animatableData: \(raw: first.type).AnimatableData {
            get { \(raw: first.name).animatableData }
            set { \(raw: first.name).animatableData = newValue }
          }
          """
        ]
      }
      let types = variables.map { "\($0.type).AnimatableData" }.joined(separator: ", ")
      let values = variables.map { "\($0.name).animatableData" }.joined(separator: ", ")
      let settings = variables.enumerated().map {
        "\($0.element.name).animatableData = newValue.value.\($0.offset)"
      }
      return [
        """
        \(raw: access)var animatableData: AnimatableValues<\(raw: types)> {
          get { AnimatableValues(\(raw: values)) }
          set {
            \(raw: settings.joined(separator: "\n    "))
          }
        }
        """
      ]
    }

    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      // A type may conform already, as a shape does.
      if protocols.isEmpty { return [] }
      return [try ExtensionDeclSyntax("extension \(type.trimmed): Animatable {}")]
    }
  }

  /// Marks a variable, and writes nothing.
  struct AnimatableIgnoredMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
  }

  /// A variable that is animated.
  private struct StoredVariable {
    let name: String
    let type: String

    /// The variables of a type, in their order; those whose type is not known are reported.
    static func all(
      of declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) -> [StoredVariable] {
      declaration.memberBlock.members.flatMap { member -> [StoredVariable] in
        guard let variable = member.decl.as(VariableDeclSyntax.self),
          variable.bindingSpecifier.tokenKind == .keyword(.var), variable.attributes.isEmpty,
          !variable.modifiers.contains(where: {
            [.keyword(.static), .keyword(.class), .keyword(.lazy)].contains($0.name.tokenKind)
          })
        else { return [] }
        // In `var x, y: CGFloat` the type stands at the last one.
        var type: String?
        return variable.bindings.reversed().compactMap { binding -> StoredVariable? in
          if !binding.isStored { return nil }
          let name = binding.pattern.trimmedDescription
          type =
            binding.typeAnnotation?.type.trimmedDescription ?? binding.plainType
            ?? (binding.initializer == nil ? type : nil)
          guard let type else {
            context.diagnose(Diagnostic(node: binding, message: UnknownType(name: name)))
            return nil
          }
          return StoredVariable(name: name, type: type)
        }.reversed()
      }
    }
  }

  extension PatternBindingSyntax {
    /// Whether it keeps a value: it has no accessors but observers.
    fileprivate var isStored: Bool {
      guard let accessorBlock else { return true }
      guard case .accessors(let accessors) = accessorBlock.accessors else { return false }
      return accessors.allSatisfy {
        [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    }

    /// The type that a value like `0.5`, `Angle(degrees: 3)` or `CGSize.zero` has.
    fileprivate var plainType: String? {
      guard var value = initializer?.value else { return nil }
      if value.is(FloatLiteralExprSyntax.self) { return "Double" }
      if let call = value.as(FunctionCallExprSyntax.self) { value = call.calledExpression }
      if let member = value.as(MemberAccessExprSyntax.self), let base = member.base { value = base }
      guard let name = value.as(DeclReferenceExprSyntax.self)?.trimmedDescription,
        name.first?.isUppercase == true
      else { return nil }
      return name
    }
  }

  /// A variable whose type a macro cannot see.
  private struct UnknownType: DiagnosticMessage {
    let name: String

    var message: String {
      "@Animatable needs the type of '\(name)', as in 'var \(name): Double', or @AnimatableIgnored"
    }
    var diagnosticID: MessageID { MessageID(domain: "OrreryMacros", id: "unknownType") }
    var severity: DiagnosticSeverity { .error }
  }
#endif
