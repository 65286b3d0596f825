// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: what is not said has the value that the documentation says.
@Suite struct DefaultValueTests {
  @Test func viewsAreAtRest() {
    let values = ViewValues()
    #expect(
      [values.x, values.y, values.opacity, values.scale, values.rotation, values.blur]
        == [0, 0, 1, 1, 0, 0])
  }

  @Test(arguments: ViewProperty.allCases) func eachPropertyIsItsOwn(property: ViewProperty) {
    var values = ViewValues()
    values[property] = 0.25
    for other in ViewProperty.allCases {
      #expect(values[other] == (other == property ? 0.25 : ViewValues()[other]), "\(other)")
    }
  }

  @Test func accordionsTurnTheirMoonsInTenToAHundredSeconds() {
    #expect(Accordion(AccordionRow("a")).duration == ValueRange(10...100))
  }
}
