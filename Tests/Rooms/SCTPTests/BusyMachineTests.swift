import Testing

@testable import SCTP

/// The same paths between machines that are busy: they wake up late, and read many packets at once.
@Suite struct BusyMachineTests {
    struct Case: CustomTestStringConvertible {
        var path: GoodputTests.Case
        var stall: Int64
        var testDescription: String { "\(path), stalls of \(stall) ms" }

        func makePath() -> SimulatedPath {
            let made = GoodputTests.path(path)
            (made.stall, made.timer) = (.milliseconds(stall), .milliseconds(3))
            return made
        }
    }

    /// Without catching up these were 31, 46 and 35 Mbit/s, because the model took what a late machine sent for the path's rate.
    @Test(arguments: [
        Case(path: .init(milliseconds: 20, aim: 70), stall: 5),
        Case(path: .init(milliseconds: 100, aim: 60, seconds: 7), stall: 5),
        Case(path: .init(milliseconds: 100, loss: 0.01, aim: 55, seconds: 7), stall: 5),
    ])
    func keepsTheRate(_ test: Case) {
        let path = test.makePath()
        let (left, right) = GoodputTests.pair(.bbr)
        path.add(left, right, source: bulk())
        path.run(until: .seconds(test.path.seconds))
        let megabits = Double(right.receivedBytes) * 8 / Double(test.path.seconds) / 1e6
        #expect(megabits >= test.path.aim, "\(left.association.statistics)")
    }

    /// A queue that was only a late reading does not end the start: 14 Mbit/s came of that.
    @Test func goesOnWithTheStart() {
        let test = Case(path: .init(milliseconds: 100, aim: 0), stall: 10)
        let path = test.makePath()
        path.timer = .milliseconds(1)
        let (left, right) = GoodputTests.pair(.bbr)
        path.add(left, right, source: bulk())
        path.run(until: .seconds(6))
        #expect(Double(right.receivedBytes) * 8 / 6e6 >= 45, "\(left.association.statistics)")
    }

    @Test(arguments: [3, 5] as [Int64], [true, false])
    func sharesWithCubic(stall: Int64, begins: Bool) {
        let path = Case(path: .init(milliseconds: 20, aim: 0), stall: stall).makePath()
        let (left, right) = GoodputTests.pair(begins ? .bbr : .cubic)
        let (otherLeft, otherRight) = GoodputTests.pair(begins ? .cubic : .bbr, 1)
        path.add(left, right, source: bulk())
        path.add(otherLeft, otherRight, source: bulk())
        path.run(until: .seconds(5))
        let before = (right.receivedBytes, otherRight.receivedBytes)
        path.run(until: .seconds(10))
        let shares = [right.receivedBytes - before.0, otherRight.receivedBytes - before.1].map { Double($0) }
        for share in shares { #expect(share / (shares[0] + shares[1]) >= 0.3, "\(shares)") }
    }
}
