// SPDX-License-Identifier: Apache-2.0

@_exported import Orrery

#if Macros
  /// Makes a type animatable by all its stored variables: writes its `animatableData`.
  ///
  ///     @Animatable
  ///     struct Wave: Shape {
  ///       var phase: Double
  ///       var strength = 10.0
  ///       @AnimatableIgnored var isFilled: Bool
  ///
  ///       func path(in rect: CGRect) -> Path { … }
  ///     }
  ///
  /// Constants, computed and static properties and those with a property wrapper are left out; so are
  /// variables with ``AnimatableIgnored()``. The type of each other one must be written, or be plain from
  /// its value.
  @attached(member, names: named(animatableData))
  @attached(extension, conformances: Animatable)
  public macro Animatable() =
    #externalMacro(module: "OrreryMacrosPlugin", type: "AnimatableMacro")

  /// Leaves a variable out of the `animatableData` that ``Animatable()`` writes.
  @attached(peer)
  public macro AnimatableIgnored() =
    #externalMacro(module: "OrreryMacrosPlugin", type: "AnimatableIgnoredMacro")
#endif
