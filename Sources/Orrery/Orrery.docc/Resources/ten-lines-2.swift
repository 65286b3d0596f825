import Orrery

let engine = AnimationEngine()
let x = engine.property(0.0)
withAnimation(.spring(duration: 0.6, bounce: 0.4)) { x.value = 100 }
