import Orrery
import OrrerySceneBuilder

let scene = Scene("ball", size: CGSize(width: 400, height: 200)) {
  AnimatedView("ball", .disc(radius: 20, color: .orange)).position(x: 150, y: 100)
} commands: {
  Command(at: 0) { .set("ball", x: 100) }
    .withAnimation(.spring(duration: 0.6, bounce: 0.4))
  Command(at: 0.2) { .set("ball", x: 0) }
    .withAnimation(.spring(duration: 0.6, bounce: 0.4))
}
print(scene.toml)
