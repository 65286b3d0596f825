// SPDX-License-Identifier: Apache-2.0

import Orrery
import TestSupport
import Testing

/// Goal: each group is released once: by its change, by the change that replaced it, or at the end.
///
/// Method: accounts of a few changes by hand; random accounts beside a list of what should wait.
@Suite struct EpisodeAccountTests {
  /// Takes all groups that a change releases.
  private func groups(
    of change: UInt64, isRemoved: Bool = false, in account: inout EpisodeAccount<String>
  ) -> [String] {
    var groups: [String] = []
    while let group = account.takeGroup(of: change, isRemoved: isRemoved) { groups.append(group) }
    return groups
  }

  @Test func completionReleasesItsOwnGroupsOnce() {
    var account = EpisodeAccount<String>()
    for change in [UInt64(1), 2] {
      account.expect(change)
      account.wait("logical \(change)", for: change, awaitsRemoval: false)
      account.wait("removed \(change)", for: change, awaitsRemoval: true)
    }
    account.checkInvariants()
    #expect(account.isAwaited(1))
    let completions = (account.complete(1), account.complete(1))
    #expect(completions == (true, false))
    let released = (groups(of: 1, in: &account), groups(of: 1, in: &account))
    #expect(released == (["logical 1"], []))
    #expect(!account.isAwaited(1))
    account.checkInvariants()
    #expect(account.incomplete == [2])
    #expect(account.waits.map(\.group) == ["removed 1", "logical 2", "removed 2"])
    account.removeAll()
    #expect(account.incomplete.isEmpty)
    #expect(account.waits.isEmpty)
  }

  @Test func groupsOfAReplacedChangeWaitForTheOtherOne() {
    var account = EpisodeAccount<String>()
    account.expect(4)
    account.wait("first", for: 4, awaitsRemoval: false)
    account.wait("last", for: 4, awaitsRemoval: true)
    account.replace(4, by: 7)
    #expect(!account.isAwaited(4))
    account.expect(7)
    account.wait("second", for: 7, awaitsRemoval: false)
    account.checkInvariants()
    #expect(account.isAwaited(7))
    let completions = (account.complete(4), account.complete(7))
    #expect(completions == (false, true))
    let released = (
      groups(of: 7, in: &account), groups(of: 7, isRemoved: true, in: &account)
    )
    #expect(released == (["first", "second"], ["last"]))
  }

  @Test func countIsOverWithItsLastMember() {
    var count = CompletionCount()
    for _ in 0..<3 { count.enter() }
    #expect(count.memberCount == 3)
    let isLast = (0..<3).map { _ in count.leave() }
    #expect(isLast == [false, false, true])
  }

  @Test(arguments: UInt64(1)...20) func everyGroupIsReleasedOnce(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var account = EpisodeAccount<String>()
    var (released, entered) = ([String](), [String]())
    for change in UInt64(1)...100 {
      // A change of the same instant as the one before it.
      if change > 1, Int.random(in: 0..<3, using: &random) == 0 {
        account.replace(change - 1, by: change)
      }
      account.expect(change)
      for index in 0..<Int.random(in: 0...3, using: &random) {
        entered.append("\(change).\(index)")
        account.wait(
          "\(change).\(index)", for: change, awaitsRemoval: Bool.random(using: &random))
      }
      account.checkInvariants()
      let due = account.incomplete.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      for change in due {
        let isDue = account.complete(change)
        #expect(isDue, "seed \(seed)")
        released += groups(of: change, in: &account)
      }
      account.checkInvariants()
    }
    released += account.waits.map(\.group)
    #expect(released.sorted() == entered.sorted(), "seed \(seed)")
  }
}
