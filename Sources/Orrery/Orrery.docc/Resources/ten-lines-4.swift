import Orrery

let engine = AnimationEngine()
let x = engine.property(0.0)
withAnimation(.spring(duration: 0.6, bounce: 0.4)) { x.value = 100 }
for tick in 0...36 {
  engine.advance(to: Double(tick) / 60)
  if tick == 12 { withAnimation(.spring(duration: 0.6, bounce: 0.4)) { x.value = 0 } }
  print(engine.time, x.presentation)
}
