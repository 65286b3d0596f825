// SPDX-License-Identifier: Apache-2.0

import Testing

import OrreryEval

/// Goal: the sim's batches give the library's numbers, within their error bounds, and answers say who
/// gave them.
///
/// Method: the same request to both, at times that are no ticks; bounds are those of the semantics, N-10.
@Suite struct KernelPathTests {
  static let kernel = Evaluator(kernels: BatchKernels())

  /// Times in seconds up to some minutes, none of them a multiple of a tick.
  static let times = (0..<200).map { Double($0) * 0.0137 } + [61.7, 333.3]

  private func compare(
    _ request: String, _ key: String = "values", within tolerance: Double
  ) throws {
    let library = try Answer(request)
    let kernel = try Answer(request, Self.kernel)
    #expect(kernel["path"].string == "kernel", "\(request)")
    #expect(library["path"].value == .null)
    #expect(!library[key].numbers.isEmpty)
    let worst = zip(library[key].numbers, kernel[key].numbers).map { abs($0 - $1) }.max() ?? 0
    #expect(
      areClose(library[key].numbers, kernel[key].numbers, within: tolerance),
      "\(request.prefix(80)): \(worst)")
  }

  /// [N-10] Curves, from tables.
  @Test(arguments: [
    "linear", "easeInOut", "cubicBezier(0.1, 0.75, 0.85, 0.35)", "steps(4, jump-end)",
    "linear(0, 0.5 20%, 1)",
  ])
  func curvesAgree(curve: String) throws {
    let at = (0...64).map { Double($0) / 64 } + [-1, 2, 0.999_999]
    try compare(#"{"curve":"\#(curve)","at":\#(at)}"#, within: 1e-5)
  }

  /// [N-10] Springs of every damping, stepped by the kernel.
  @Test(arguments: [
    #"{"duration":0.5,"bounce":0.3}"#, #"{"duration":0.6,"bounce":-0.2}"#, #"{"duration":0.4}"#,
    #"{"response":1,"dampingRatio":0}"#, #"{"mass":2,"stiffness":100,"damping":3}"#,
  ])
  func springsAgree(spring: String) throws {
    try compare(#"{"spring":\#(spring),"from":2,"to":3,"at":\#(Self.times)}"#, within: 2e-4)
  }

  /// [N-10] Animations, played by the director.
  @Test(arguments: [
    "linear(duration: 0.8).repeatCount(3, autoreverses: true).delay(0.2).speed(2)",
    "easeInOut(duration: 1)", "spring(duration: 0.5, bounce: 0.3).delay(0.1)", "default",
    "easeIn(duration: 0.3).repeatForever(autoreverses: false)",
    "interpolatingSpring(mass: 1, stiffness: 144, damping: 12, initialVelocity: 3)",
    "bouncy.repeatForever()", "linear(duration: 0.5).delay(0.25).repeatForever()",
    "linear.speed(0)",
  ])
  func animationsAgree(animation: String) throws {
    let request = #"{"animation":"\#(animation)","from":-1,"to":1,"at":\#(Self.times + [-1])}"#
    try compare(request, within: 4e-4)
    let events = try Answer(request)["events"].value
    #expect(try Answer(request, Self.kernel)["events"].value == events)
  }

  /// [N-10] What moves for ever.
  @Test func loopsAgree() throws {
    let at = Self.times + [86_400.123, 1e7]
    try compare(
      #"{"marquee":{"labels":[30,20,40],"speed":60,"direction":"left"},"at":\#(at)}"#, "offsets",
      within: 0.01)
    try compare(
      #"{"marquee":{"variant":"linear","start":-730,"duration":60},"at":\#(at)}"#, "offsets",
      within: 0.01)
    try compare(
      #"{"marquee":{"variant":"timer","start":-1550,"resetAt":330,"step":3},"ticks":[0,250,700,1e6]}"#,
      "offsets", within: 0)
    try compare(
      #"{"ticker":{"content":120,"container":360},"dates":[1750000000,1750000000.25,1750000777]}"#,
      "offsets", within: 0.01)
    for direction in ["left", "right"] {
      try compare(
        #"{"flow":{"width":250,"direction":"\#(direction)"},"at":\#(at)}"#, "offsets", within: 0.01)
    }
    try compare(#"{"flow":{"height":60,"direction":"up"},"at":[0.5,2]}"#, "offsets", within: 1e-4)
  }

  /// [N-10] An orbit, to 2e-5 of its radius.
  @Test func orbitsAgree() throws {
    let request =
      #"{"orbit":{"height":500,"moons":5,"index":3,"phase":0.25,"period":20},"at":[7,1e6]}"#
    let (library, kernel) = (try Answer(request), try Answer(request, Self.kernel))
    #expect(kernel["path"].string == "kernel")
    for (a, b) in zip(library["points"].elements, kernel["points"].elements) {
      #expect(areClose(a.numbers, b.numbers, within: 160 * 2e-5))
    }
  }

  /// [N-10] Keyframes of every kind, each played by a view; several tracks.
  @Test(arguments: [
    #"[{"linear":8,"duration":0.4},{"linear":2,"duration":0.6,"timingCurve":"easeInOut"}]"#,
    #"[{"move":5},{"linear":9,"duration":0.4},{"move":-1},{"linear":1,"duration":1}]"#,
    #"[{"cubic":10,"duration":0.5},{"cubic":40,"duration":0.5},{"cubic":50,"duration":1}]"#,
    #"[{"cubic":2,"duration":1,"startVelocity":8,"endVelocity":-3}]"#,
    #"[{"cubic":2,"duration":1,"startVelocity":8,"endVelocity":8},{"linear":2,"duration":0.3}]"#,
    #"[{"springTo":9,"spring":{"duration":0.4,"bounce":0.2}},{"linear":3,"duration":0.5}]"#,
    #"[{"springTo":9,"duration":0.2},{"springTo":3,"spring":"bouncy"}]"#,
    #"[{"linear":5,"duration":0.3},{"springTo":9,"startVelocity":-40,"duration":1}]"#,
    #"[{"springTo":9,"spring":{"duration":0.4,"bounce":-0.6}}]"#, "[]", #"[{"move":5}]"#,
  ])
  func keyframesAgree(keyframes: String) throws {
    let at = Self.times + [-1, 0, 0.4, 0.5, 1, 1.5]
    try compare(#"{"keyframes":\#(keyframes),"initial":2,"at":\#(at)}"#, within: 5e-3)
    let tracks = #"{"keyframes":{"a":\#(keyframes),"b":[{"linear":8,"duration":0.4}]},"at":\#(at)}"#
    let (library, kernel) = (try Answer(tracks), try Answer(tracks, Self.kernel))
    #expect(kernel["path"].string == "kernel")
    for name in ["a", "b"] {
      #expect(
        areClose(
          library["tracks"][name].numbers, kernel["tracks"][name].numbers, within: 5e-3))
    }
  }

  /// [N-10] Transitions with polynomials, each shown by a view.
  @Test(arguments: [
    "opacity", "scale", "slide", "push(from: top)", "identity", "blurReplace",
    "offset(x: 30, y: -20)",
    "asymmetric(insertion: move(edge: top).combined(with: scale(0.2, anchor: topTrailing))"
      + ".combined(with: opacity), removal: move(edge: leading))",
  ])
  func transitionsAgree(transition: String) throws {
    for phase in ["insertion", "removal", "identity"] {
      for direction in ["leftToRight", "rightToLeft"] {
        for progress in [0, 0.3, 0.75, 1] {
          let request =
            #"{"transition":"\#(transition)","phase":"\#(phase)","progress":\#(progress),"#
            + #""size":[240,160],"layoutDirection":"\#(direction)"}"#
          let (library, kernel) = (try Answer(request), try Answer(request, Self.kernel))
          #expect(kernel["path"].string == "kernel", "\(request)")
          func numbers(_ answer: Answer) -> [Double] {
            answer["matrix"].numbers
              + [answer["opacity"], answer["blur"]].map { $0.number ?? .nan }
          }
          #expect(
            areClose(numbers(library), numbers(kernel), within: 1e-3),
            "\(request): \(numbers(library)) \(numbers(kernel))")
        }
      }
    }
  }

  @Test(arguments: [
    #"{"schedule":"everyMinute"}"#,
    #"{"transition":"opacity","phase":"insertion","progress":1.5,"size":[1,1]}"#,
    #"{"keyframes":[{"linear":1,"duration":1}]}"#,
    #"{"keyframes":[{"springTo":0,"startVelocity":5}],"at":[0.1]}"#,
    #"{"keyframes":[{"springTo":1,"spring":{"bounce":-0.5},"startVelocity":5}],"at":[0.1]}"#,
    #"{"animation":{"formula":"value * time","duration":1},"at":[0.5]}"#,
    #"{"marquee":{"labels":[1],"speed":1,"replace":[{"at":1,"labels":[2]}]},"at":[2]}"#,
    #"{"flow":{"variant":"written","width":10},"ticks":[1],"at":[2]}"#,
    #"{"phases":[0,1],"at":[1]}"#, #"{"detector":"compare","writes":[]}"#,
    #"{"script":[],"initial":{}}"#, #"{"spring":"bouncy","velocity":1,"at":[1]}"#,
    #"{"spring":"bouncy","at":[1e300]}"#, #"{"orbit":{"height":1,"moons":0},"at":[0]}"#,
  ])
  func theLibraryAnswersWhereNoBatchCan(request: String) throws {
    #expect(try Answer(request, Self.kernel)["path"].string == "library")
    let answer = try #require(Self.kernel.answer(request))
    let ours = answer.replacing(#","path":"library"}"#, with: "}")
    #expect(ours == Evaluator().answer(request))
  }

  @Test func badAndHugeRequestsAreHarmless() {
    for request in BadRequestTests.requests + BadRequestTests.wrong.map(\.0) {
      for number in ["0.5", "0", "-7", "1e308", "-1e308", "5e-324", "1e9", "1e-9"] {
        let filled = request.replacing(/[:\[,]-?[0-9][0-9.e]*/) { $0.output.prefix(1) + number }
        #expect(Self.kernel.answer(filled)?.hasPrefix("{") == true)
      }
      #expect(Self.kernel.answer(request)?.hasPrefix("{") == true)
    }
  }

  /// Batches are asked for numbers up to 10^9; the library answers beyond.
  @Test(arguments: [
    #"{"curve":"linear","at":[$]}"#, #"{"spring":"bouncy","at":[$]}"#,
    #"{"spring":"bouncy","from":$,"at":[1]}"#, #"{"spring":"bouncy","to":-$,"at":[1]}"#,
    #"{"animation":"linear","from":$,"at":[1]}"#, #"{"animation":"linear","to":$,"at":[1]}"#,
    #"{"animation":"linear","at":[$]}"#,
    #"{"orbit":{"height":100,"moons":1},"at":[$]}"#,
    #"{"marquee":{"labels":[1],"speed":1},"at":[$]}"#,
    #"{"marquee":{"labels":[1],"flag":$,"spacing":-0.5,"speed":1},"at":[1]}"#,
    #"{"marquee":{"variant":"linear","start":$},"at":[1]}"#,
    #"{"marquee":{"variant":"timer","start":0,"resetAt":$,"step":2},"ticks":[1]}"#,
    #"{"flow":{"width":1},"at":[$]}"#,
    #"{"keyframes":[{"linear":$,"duration":1}],"at":[0.5]}"#,
    #"{"transition":"offset(x: $)","phase":"insertion","progress":0,"size":[1,1]}"#,
  ])
  func numbersUpToABillionAreAskedOfKernels(request: String) throws {
    for (number, path) in [("1000000000", "kernel"), ("1000000001", "library")] {
      let answer = try Answer(request.replacing("$", with: number), Self.kernel)
      #expect(answer["path"].string == path, "\(number)")
    }
  }

  /// What is no motion, or one without end, has no batch.
  @Test(arguments: [
    (#"{"spring":{"duration":0},"at":[1]}"#, "library"),
    (#"{"spring":{"response":1e-9,"dampingRatio":1},"at":[1]}"#, "kernel"),
    (#"{"marquee":{"labels":[],"speed":1},"at":[1]}"#, "library"),
    (
      #"{"marquee":{"variant":"timer","start":0,"resetAt":999999998,"step":1},"ticks":[1]}"#,
      "kernel"
    ),
    (#"{"marquee":{"variant":"timer","start":0,"resetAt":1e9,"step":1},"ticks":[1]}"#, "library"),
    (#"{"animation":"linear","at":[]}"#, "library"),
    (#"{"orbit":{"height":0,"moons":0}}"#, "library"),
    (#"{"ticker":{"content":0,"container":0},"dates":[1]}"#, "library"),
    (#"{"ticker":{"content":1,"container":9},"dates":[1]}"#, "kernel"),
    (#"{"flow":{"width":100,"speed":0},"at":[5]}"#, "kernel"),
    (#"{"spring":{"mass":1e308,"stiffness":1e-308,"damping":1},"at":[5]}"#, "library"),
  ])
  func answersSayWhoGaveThem(request: String, path: String) throws {
    #expect(try Answer(request, Self.kernel)["path"].string == path)
  }

  /// What a director would have to play leg by leg is asked of the library, if there are too many of them: of a
  /// hundred times, ten thousand each.
  @Test(arguments: [("9.9", "kernel"), ("10.1", "library")])
  func manyLegsAreTheLibrarys(time: String, path: String) throws {
    let at = Array(repeating: time, count: 100).joined(separator: ",")
    let request = #"{"animation":"linear(duration: 0.001).repeatForever()","at":[\#(at)]}"#
    #expect(try Answer(request, Self.kernel)["path"].string == path)
  }

  /// Before its beginning a motion stands where it begins, at exactly its end where it ends.
  @Test func endsAreExact() throws {
    func values(_ request: String) throws -> [Double] {
      try Answer(request, Self.kernel)["values"].numbers
    }
    #expect(try values(#"{"curve":"easeIn","at":[-1,0,1,2]}"#) == [0, 0, 1, 1])
    #expect(
      try values(#"{"curve":"steps(4, jump-both)","at":[-1,1,2]}"#) == [Double(Float(0.2)), 1, 1])
    #expect(try values(#"{"spring":"bouncy","from":3,"to":5,"at":[-7,0,500]}"#) == [3, 3, 5])
    #expect(
      try values(#"{"animation":"linear(duration: 1)","from":3,"to":5,"at":[-1,0,1,9]}"#) == [
        3, 3, 5, 5,
      ])
  }

  /// More times than one world holds, and times of many orders of magnitude, in any order.
  @Test func manyTimesAreAskedForInParts() throws {
    let at = (0..<70_000).map { Double(($0 * 7_919) % 70_000) / 1_000 }
    let request = #"{"marquee":{"labels":[30,20,40],"speed":60},"at":\#(at)}"#
    let (library, kernel) = (try Answer(request), try Answer(request, Self.kernel))
    #expect(kernel["path"].string == "kernel")
    let period = try #require(library["period"].number)
    let pairs = zip(library["offsets"].numbers, kernel["offsets"].numbers)
    // At a wrap they may be a period apart.
    let wrong = pairs.enumerated().first {
      let distance = abs($1.0 - $1.1)
      return min(distance, abs(distance - period)) > 1e-3
    }
    #expect(wrong == nil)
  }
}
