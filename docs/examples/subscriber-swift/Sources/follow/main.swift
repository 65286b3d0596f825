// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryRuns

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: follow NAME | tcp://HOST:PORT\n".utf8))
  exit(64)
}
let word = CommandLine.arguments[1]
let address = word.contains("://") ? RunAddress.endpoint(word) : .name(word)

let run = try RunSubscriber(address, waitSeconds: 5)
print("\(run.scene.entityCount) entities at \(run.scene.rate) Hz")
var event = RunEvent.idle
while !event.isLast {
  event = run.next { frame in
    if let x = frame.values(.x) { print(frame.sequence, frame.tick, x[0]) }
  }
}
print("\(run.receivedCount) received, \(run.missedCount) missed")
