// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: views, and what happens to them, are planned as the scene says.
///
/// Method: plan scenes from Swift and from files, and compare plans with values worked out by hand.
@Suite struct ViewPlanTests {
  private func plan(_ scene: Scene) throws -> ScenePlan {
    try ScenePlan(scene, text: FixedWidths(width: 50))
  }

  private func disc(_ name: String) -> AnimatedView { AnimatedView(name, .disc(radius: 10)) }

  @Test func viewHasItsNameItsValuesAndItsPlace() throws {
    let view = AnimatedView("card", .box(width: 240, height: 160, cornerRadius: 300, color: .red))
      .position(x: 100, y: 200).opacity(0.5).scaleEffect(2).rotationEffect(0.25)
      .offset(x: 3, y: -4).blur(radius: 7).hidden()
    let plan = try plan(Scene("s") { view })
    let found = try #require(plan.views?.views.first)
    #expect(found.name == "card")
    #expect(found.initial == [3, -4, 0.5, 2, 0.25, 7])
    #expect(!found.isShown)
    #expect(found.transition == nil)
    let message = try #require(plan.message("view"))
    #expect((message.originX, message.originY) == ([100], [200]))
    #expect(message.parents.isEmpty)
    let element = plan.layout.sprites[0].elements[0]
    #expect((element.x, element.y) == (-120, -80))
    #expect(element.box.cornerRadius == 80)
  }

  /// The numbers of `orrery.Field`, which every frame carries.
  @Test func propertiesHaveTheNumbersOfFields() {
    #expect(ViewProperty.allCases.map(\.fieldNumber) == [1, 2, 3, 4, 5, 6])
  }

  @Test func elementsStandFromTheCentre() throws {
    let view = AnimatedView(
      "v", .text("t", alignment: .leading).offset(x: 5, y: 1), .text("t", alignment: .trailing),
      .disc(radius: 3).offset(x: 9), .flag("EU", width: 40).offset(y: 100))
    let elements = try plan(Scene("s") { view }).layout.sprites[0].elements
    #expect(elements.map(\.x) == [5, -50, 9, -20])
    #expect(elements.map(\.y) == [1 - 8, -8, 0, 100 - 15])
    #expect((elements[3].text.width, elements[3].text.height) == (40, 30))
  }

  /// A child stands where its parent does unless it says otherwise; numbers are those of entities.
  @Test func childrenNameTheEntityOfTheirParent() throws {
    let scene = Scene("s") {
      Row(cells: [.label("a")]).marquee(speed: 1)
      disc("child").parent("parent")
      disc("parent").position(x: 11, y: 12)
      disc("far").parent("child").position(x: 1, y: 2)
      OrbitSystem(height: 100, moons: 2).parent("parent")
    }
    let plan = try plan(scene)
    let views = try #require(plan.message("view"))
    #expect(plan.views?.views.map(\.name) == ["child", "parent", "far", "planet 0"])
    #expect(views.firstEntity == 1)
    #expect(views.parents == [3, 0, 2, 3])
    #expect(views.originX == [11, 11, 1, 11])
    let moons = try #require(plan.message("orbit"))
    #expect(moons.parents == [3])
    #expect((moons.originX, moons.originY) == ([11], [12]))
    #expect(plan.layout.fixtures.isEmpty)
  }

  /// [S4-06] [S4-08] [S4-09] Insertion has three parts, removal two and no scale; 240 x 160, p =
  /// 0.4.
  @Test func transitionOfTheArticleBecomesPolynomials() throws {
    #expect(Accordion.defaultTransition.insertionSteps.count == 3)
    #expect(Accordion.defaultTransition.removalSteps.count == 2)
    let view = AnimatedView("v", .disc(radius: 1)).frame(width: 240, height: 160)
      .transition(Accordion.defaultTransition)
    let transition = try #require(try plan(Scene("s") { view }).views?.views.first?.transition)
    func value(_ coefficients: [Double], _ away: Double) -> Double {
      coefficients.reversed().reduce(0) { ($0 + $1) * away }
    }
    let insertion = transition.insertion
    let scale = 1 + value(insertion.scale, 0.6)
    #expect(abs(scale - 0.52) < 1e-12)
    #expect(abs(1 + value(insertion.opacity, 0.6) - 0.4) < 1e-12)
    // The origin is the centre (120, 80): tx 115.2 and ty -49.92 are those of the upper left
    // corner.
    #expect(abs(120 + value(insertion.x, 0.6) - scale * 120 - 115.2) < 1e-9)
    #expect(abs(80 + value(insertion.y, 0.6) - scale * 80 + 49.92) < 1e-9)
    #expect(transition.removal.scale.isEmpty)
    #expect(transition.removal.x.isEmpty)
    #expect(abs(value(transition.removal.y, 0.4) + 64) < 1e-12)
    #expect(abs(1 + value(transition.removal.opacity, 0.4) - 0.6) < 1e-12)
  }

  @Test func transitionsCountWithWhatIsDrawn() throws {
    let view = AnimatedView("v", .box(width: 40, height: 20).offset(x: 100))
      .transition(.move(edge: .leading).animation(.linear(duration: 2)))
    let transition = try #require(try plan(Scene("s") { view }).views?.views.first?.transition)
    #expect(transition.insertion.x == [-40])
    #expect(transition.insertionAnimation == .linear(duration: 2))
    #expect(transition.removalAnimation == .linear(duration: 2))
  }

  private static let file = """
    [[content]]
    kind = "view"
    name = "a"
    disc = 3
    [[content]]
    kind = "view"
    name = "b b"
    text = "t"
    [[command]]
    at = 2.0
    every = 4
    set = { "b b" = { y = 7 }, a = { scale = 1.5, opacity = 1 } }
    show = "a"
    hide = ["b b", "a"]
    animation = "linear(duration: 3)"
    completion = "grown"
    criteria = "removed"
    [[command]]
    after = "grown"
    delay = 0.5
    toggle = "b b"
    destroy = "a"
    """

  private static let built = Scene("f") {
    AnimatedView("a", .disc(radius: 3))
    AnimatedView("b b", .text("t"))
  } commands: {
    Command(at: 2, every: 4) {
      CommandAction.hide("b b")
      CommandAction.set("b b", y: 7)
      CommandAction.set("a", opacity: 0.3)
      CommandAction.show("a")
      CommandAction.set("a", opacity: 1, scale: 1.5)
      CommandAction.hide("a")
    }
    .withAnimation(.linear(duration: 3), completionCriteria: .removed, completion: "grown")
    Command(after: "grown", delay: 0.5) {
      CommandAction.destroy("a")
      CommandAction.toggle("b b")
    }
  }

  @Test func fileAndBuilderSayTheSame() throws {
    let file = try SceneFile.decode(Self.file, file: "f.toml")
    #expect(file.scene == Self.built)
    #expect(try SceneFile.decode(Self.built.toml, file: "g.toml").scene == Self.built)
  }

  @Test func commandsBecomeTransactions() throws {
    let views = try #require(try plan(Self.built).views)
    #expect(views.completions == ["grown"])
    let command = try #require(views.commands.first)
    #expect((command.time, command.every) == (2, 4))
    #expect(
      command.transaction.actions == [
        .set(view: 0, .opacity, 1), .set(view: 0, .scale, 1.5), .set(view: 1, .y, 7),
        .show(view: 0), .hide(view: 1), .hide(view: 0),
      ])
    #expect(command.transaction.animation == .linear(duration: 3))
    #expect(command.transaction.completion == 0)
    #expect(command.transaction.criteria == .removed)
    let reaction = try #require(views.reactions.first)
    #expect((reaction.completion, reaction.delay) == (0, 0.5))
    #expect(reaction.transaction.actions == [.toggle(view: 1), .destroy(view: 0)])
    #expect(reaction.transaction.animation == nil)
  }

  /// The article's kinds of completion in one scene: single, compound, repeated, every repetition.
  @Test func completionsSceneHasEveryKind() throws {
    let file = try SceneSource.load(nameOrPath: "completions")
    let views = try #require(try ScenePlan(file, text: FixedWidths()).views)
    func command(_ completion: String) throws -> TransactionPlan {
      let index = try #require(views.completions.firstIndex(of: completion))
      let all = views.commands.map(\.transaction) + views.reactions.map(\.transaction)
      return try #require(all.first { $0.completion == index })
    }
    #expect(try command("scale").animation == .linear(duration: 3))
    #expect(try command("opacity").animation == .spring)
    let compound = try command("compound")
    #expect(compound.actions.count == 3)
    #expect(compound.animation?.course()?.logicalEnd == 0.8)
    #expect(try command("repeated").animation?.course()?.legCount == 3)
    for leg in 1...4 { #expect(try command("repetition \(leg)").actions.count == 1) }
    // Each completion lights a lamp.
    let shown = Set(
      views.reactions.filter { reaction in
        reaction.transaction.actions.contains { if case .show = $0 { true } else { false } }
      }.map(\.completion))
    #expect(shown.count == views.completions.count)
  }

  @Test func planetsOfViewsAreCounted() throws {
    let scene = Scene("s") {
      OrbitSystem(height: 100, moons: 1)
      disc("v")
      OrbitSystem(height: 100, moons: 1).parent("v")
      OrbitSystem(height: 100, moons: 1).parent("v")
    }
    let plan = try plan(scene)
    #expect(plan.views?.views.map(\.name) == ["v", "planet 1", "planet 2"])
    #expect(plan.layout.fixtures.count == 1)
    // One moon moves with nothing, two with the first view, which is entity 3, behind all moons.
    #expect(plan.message("orbit")?.parents == [0, 4, 4])
    #expect(plan.message("view")?.parents == [0, 4, 4])
  }

  /// A transition counts with the smallest box around all elements.
  @Test func boxesOfAllElementsCount() throws {
    let view = AnimatedView(
      "v", .box(width: 40, height: 20).offset(x: 100), .disc(radius: 5).offset(x: -30, y: 50)
    ).transition(.move(edge: .leading))
    let moved = view.transition(.move(edge: .bottom))
    let text = AnimatedView("v", .text("t", alignment: .leading)).transition(.move(edge: .trailing))
    func insertion(_ view: AnimatedView) throws -> TransitionHalf? {
      try plan(Scene("s") { view }).views?.views.first?.transition?.insertion
    }
    // From -35 to 120, and from -10 to 55.
    #expect(try insertion(view)?.x == [-155])
    #expect(try insertion(moved)?.y == [65])
    #expect(try insertion(text)?.x == [50])
  }

  /// A command that says only how often it comes, comes first after that time.
  @Test func commandsBeginWhenTheyRepeat() throws {
    func moment(_ lines: String) throws -> Command.Moment? {
      let text = "[[content]]\nkind = \"view\"\nname = \"v\"\ndisc = 1\n[[command]]\nshow = \"v\"\n"
      return try SceneFile.decode(text + lines, file: "f").scene.commands.first?.moment
    }
    #expect(try moment("every = 4") == .at(4, every: 4))
    #expect(try moment("every = 4\nat = 1") == .at(1, every: 4))
    #expect(try moment("at = 1") == .at(1))
    #expect(try moment("after = \"c\"\ncompletion = \"c\"\ndelay = 2") == .after("c", delay: 2))
  }

  /// Lists of a view's names may be one name, or none.
  @Test func oneNameIsAList() throws {
    let text = "[[content]]\nkind = \"view\"\nname = \"v\"\ndisc = 1\n[[command]]\nat = 1\n"
    let one = try SceneFile.decode(text + "toggle = \"v\"", file: "f").scene.commands[0]
    let list = try SceneFile.decode(text + "toggle = [\"v\"]", file: "f").scene.commands[0]
    #expect(one == list)
    #expect(one.toggle == ["v"])
    let none = try SceneFile.decode(text + "toggle = \"v\"\nhide = []", file: "f").scene.commands[0]
    #expect(none == one)
  }
}
