// SPDX-License-Identifier: Apache-2.0

import Orrery

// The five articles' own listings, as they are but for this import, as far as there is a counterpart.
// Left out are layout (HStack, VStack, ZStack, GeometryReader, frame, mask, overlay), what is drawn (Text,
// Image, Button), and what a program runs (State, Binding, Timer, Combine, onAppear, onReceive): the
// state is an AnimatedProperty, and a test calls what a timer or a tap would.

/// Article 0: two rows of flags.
final class WelcomeView {
  let engine: AnimationEngine
  let offsets: [AnimatedProperty<CGFloat>]
  let animationDuration: Double = 60
  let countrys = [
    ["AED", "AUD", "CAD", "CHF", "DKK", "EUR", "GBP", "HKD", "HUF", "JPY", "KRW", "MOP"],
    ["MXN", "MYR", "NOK", "NZD", "PLN", "RUB", "SAR", "SEK", "SGD", "THB", "TRY", "USD", "ZAR"],
  ]

  init(engine: AnimationEngine, offsets: [CGFloat]) {
    self.engine = engine
    self.offsets = offsets.map { engine.property($0) }
  }

  func startAnimation() {
    withAnimation(
      Animation.linear(duration: animationDuration).repeatForever(autoreverses: false)
    ) {
      offsets[0].value = 0
      offsets[1].value = 0
    }
  }

  /// What the timer runs every 0.01 s.
  func timerFired(step: CGFloat = 3) {
    for i in 0..<2 {
      withAnimation {
        offsets[i].value += step
      }
      if i == 0, offsets[i].value >= 330 {
        offsets[i].value = -1550
      } else if i == 1, offsets[i].value >= 460 {
        offsets[i].value = -1800
      }
    }
  }

  func row(_ item: Int) -> some View {
    EmptyView()
      .offset(x: offsets[item].presentation)
  }
}

/// Article 1: text through which a picture flows.
final class FlowTextModifier {
  let engine: AnimationEngine
  let offset: AnimatedProperty<CGPoint>

  init(engine: AnimationEngine) {
    self.engine = engine
    offset = engine.property(.zero)
  }

  func getNextOffset(size: CGSize, offset: CGPoint) -> CGPoint {
    var nextOffset = offset

    if nextOffset.x + (size.width / 10.0) > size.width {
      nextOffset.x = 0
    } else {
      nextOffset.x += size.width / 10.0
    }
    return nextOffset
  }

  /// What the timer runs every second.
  func receive(size: CGSize) {
    let newOffset = self.getNextOffset(size: size, offset: self.offset.value)

    if newOffset == .zero {
      self.offset.value = newOffset
      withAnimation(.linear(duration: 1)) {
        self.offset.value = self.getNextOffset(size: size, offset: newOffset)
      }
    } else {
      withAnimation(.linear(duration: 1)) {
        self.offset.value = newOffset
      }
    }
  }

  /// The image, or with -size.width its copy.
  func image(_ x: CGFloat = 0) -> some View {
    EmptyView()
      .offset(x: self.offset.presentation.x + x, y: self.offset.presentation.y)
  }
}

/// Article 2: modifiers that tell when their animation is complete; Combine's part is left out.
struct OpacityModifier: AnimatableModifier {

  var opacityVal: CGFloat

  var animatableData: CGFloat {
    get { return opacityVal }
    set {
      opacityVal = newValue
    }
  }

  func body(content: Content) -> some View {
    content
      .opacity(Double(opacityVal))
  }
}

struct ScaleModifier: AnimatableModifier {

  var scaleVal: CGFloat

  var animatableData: CGFloat {
    get { return scaleVal }
    set {
      scaleVal = newValue
    }
  }

  func body(content: Content) -> some View {
    content
      .scaleEffect(scaleVal)
  }
}

struct CompletionView: View {
  var isAnimStart = false

  var body: some View {
    EmptyView()
      .modifier(ScaleModifier(scaleVal: isAnimStart ? 1.5 : 1.0))
      .animation(.linear(duration: 3.0))
      .modifier(OpacityModifier(opacityVal: isAnimStart ? 1.0 : 0.15))
      .animation(.spring())
  }
}

/// Article 2, the first detector: it compares what is written with both ends of the way.
///
/// A binding's count is an object's, and what the publisher sends is counted at once.
struct RepeatOpacityModifier: AnimatableModifier {

  nonisolated(unsafe) static var fromVal: Double? = nil
  nonisolated(unsafe) static var ignoreCount = 0

  var opacityVal: Double

  let animation: RepeatedAnimation

  var animatableData: Double {
    get { opacityVal }
    set {
      if let fromVal = Self.fromVal {
        if Self.ignoreCount >= 10 {
          if newValue == opacityVal || newValue == fromVal {
            animation.p.send()
            Self.ignoreCount = 0
          }
        } else {
          Self.ignoreCount += 1
        }
      } else {
        Self.fromVal = newValue
      }

      if animation.animCount >= animation.totalCount {
        Self.ignoreCount = 0
        Self.fromVal = nil
      }
      opacityVal = newValue
    }
  }

  func body(content: Content) -> some View {
    content
      .opacity(opacityVal)
  }
}

/// What the first detector's view keeps: the count of legs, and the publisher.
final class RepeatedAnimation {
  let totalCount: Int
  let p = HandSubject()

  /// Legs that were found.
  var animCount: Int { p.sent.count }

  init(totalCount: Int) {
    self.totalCount = totalCount
  }
}

/// Article 2, the second detector: it waits until nothing has been written for 0.1 s.
struct OpacityModifier2: AnimatableModifier {

  var opacityVal: CGFloat
  nonisolated(unsafe) static var first = true

  let completion: () -> Void
  let p: HandSubject

  var animatableData: CGFloat {
    get { return opacityVal }
    set {

      if Self.first {
        Self.first = false

        let comp = self.completion
        p.timeout(seconds: 0.1) {
          comp()
          Self.first = true
        }
      }

      p.send()
      opacityVal = newValue
    }
  }

  func body(content: Content) -> some View {
    content
      .opacity(Double(opacityVal))
  }
}

/// Combine's subject and its timeout, with a clock that a test moves.
final class HandSubject {
  /// Seconds.
  private(set) var now = 0.0

  /// When something was sent.
  private(set) var sent: [Double] = []

  private var timer: (seconds: Double, deadline: Double, completion: () -> Void)?

  func timeout(seconds: Double, _ completion: @escaping () -> Void) {
    timer = (seconds, now + seconds, completion)
  }

  func send() {
    sent.append(now)
    if let timer { self.timer?.deadline = now + timer.seconds }
  }

  /// Moves the clock, and ends what waits if nothing was sent for its time.
  func advance(to time: Double) {
    if let timer, timer.deadline <= time {
      self.timer = nil
      now = timer.deadline
      timer.completion()
    }
    now = time
  }
}

/// Article 3: a ticker that goes by the time between updates.
final class SimpleMarqueeDataContext {
  var offset: CGFloat = 0

  var contentWidth: CGFloat = 0

  private var lastTimeInterval: TimeInterval?

  var containerWidth: CGFloat = 0

  func updateOffset(_ timeInterval: TimeInterval, speed: CGFloat = 50) {
    if let lastTimeInterval = lastTimeInterval {
      let diff = timeInterval - lastTimeInterval
      offset += diff * speed
    }

    if offset >= containerWidth {
      offset = 0
    }

    lastTimeInterval = timeInterval
  }
}

struct SimpleMarquee<Content>: View where Content: View {
  private var content: () -> Content
  private var dataContext: SimpleMarqueeDataContext = .init()
  private var speed: CGFloat

  init(width: CGFloat, speed: CGFloat, @ViewBuilder content: @escaping () -> Content) {
    self.content = content
    self.speed = speed
    dataContext.containerWidth = width
  }

  var timeline: TimelineView<AnimationTimelineSchedule, some View> {
    TimelineView(.animation) { context in
      let _ = {
        dataContext.updateOffset(context.date.timeIntervalSinceReferenceDate, speed: speed)
      }()
      content()
        .offset(x: -dataContext.offset)
    }
  }

  var body: some View { timeline }
}

/// Article 3: one point at each update.
final class DataModel {
  var offset: CGFloat = 0
}

func ticker(_ dataModel: DataModel, width: CGFloat) -> TimelineView<
  AnimationTimelineSchedule, some View
> {
  TimelineView(.animation) { context in
    let _ = {
      dataModel.offset -= 1
      if dataModel.offset <= -width {
        dataModel.offset = 0
      }
    }()
    EmptyView()
      .offset(x: dataModel.offset)
  }
}

/// Article 4: an accordion whose panels have moons.
struct Accordion {
  var showMoon: String?

  func toggleMoons(_ name: String) -> Bool {
    return name == showMoon
  }

  mutating func tap(_ name: String) {
    self.showMoon = self.toggleMoons(name) ? nil : name
  }
}

extension AnyTransition {
  static var customTransition: AnyTransition {
    let insertion = AnyTransition.move(edge: .top)
      .combined(with: .scale(scale: 0.2, anchor: .topTrailing))
      .combined(with: .opacity)
    let removal = AnyTransition.move(edge: .top).combined(with: .opacity)
    return .asymmetric(insertion: insertion, removal: removal)
  }
}

struct OrbitEffect: GeometryEffect {

  var initialAngle = CGFloat.random(in: 0..<2 * .pi)

  var angle: CGFloat = 0
  let radius: CGFloat

  var animatableData: CGFloat {
    get { return angle }
    set { angle = newValue }
  }

  func effectValue(size: CGSize) -> ProjectionTransform {
    let pt = CGPoint(
      x: cos(angle + initialAngle) * radius,
      y: sin(angle + initialAngle) * radius)
    let translation = CGAffineTransform(translationX: pt.x, y: pt.y)
    return ProjectionTransform(translation)
  }
}

struct PlanetView {
  var animationFlag = false
  var initialAngle: CGFloat

  func makeOrbitEffect(diameter: CGFloat) -> some GeometryEffect {
    return OrbitEffect(
      initialAngle: initialAngle, angle: self.animationFlag ? 2 * .pi : 0,
      radius: diameter / 2.0)
  }

  func moon(diameter: CGFloat) -> some View {
    EmptyView()
      .modifier(self.makeOrbitEffect(diameter: diameter))
  }
}
