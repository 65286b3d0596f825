import Orrery

let engine = AnimationEngine()
let x = engine.property(0.0)
