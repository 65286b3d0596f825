// SPDX-License-Identifier: Apache-2.0

#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  /// The program that the compiler asks for what macros stand for.
  @main struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [AnimatableMacro.self, AnimatableIgnoredMacro.self]
  }
#else
  /// Without the trait `Macros` there are no macros, and the compiler asks nothing.
  @main struct Plugin {
    static func main() {}
  }
#endif
