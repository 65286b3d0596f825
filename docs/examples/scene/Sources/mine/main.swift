// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

let scene = Scene("mine", size: CGSize(width: 960, height: 540), background: .black) {
  Text("Exchange Rates")
    .font(.largeTitle)
    .foregroundColor(.white)
    .position(x: 480, y: 60)
  for (index, currencies) in [["EUR", "JPY", "CHF"], ["USD", "INR", "ZAR"]].enumerated() {
    Row(currencies: currencies)
      .frame(height: 96)
      .position(x: 480, y: 150 + 110 * Double(index))
      .foregroundColor(.white)
      .clipped()
      .marquee(speed: 60, direction: index == 0 ? .leading : .trailing)
  }
  OrbitSystem(height: 180, moons: 5, center: CGPoint(x: 480, y: 430))
}
print(scene.toml)
