import Orrery
import OrrerySceneBuilder

let scene = Scene("ball", size: CGSize(width: 400, height: 200)) {
  AnimatedView("ball", .disc(radius: 20, color: .orange)).position(x: 150, y: 100)
}
print(scene.toml)
