import Cryptography
import Rooms
import Testing

@Suite("Safety number")
struct SafetyNumberTests {
    private let first = [UInt8](0..<32)
    private let second = [UInt8](32..<64)

    @Test("Both sides see the same twelve groups of five digits")
    func symmetry() {
        let number = SafetyNumber(local: first, remote: second, roomID: "room")
        #expect(number == SafetyNumber(local: second, remote: first, roomID: "room"))
        #expect(number.groups.count == 12)
        #expect(number.groups.allSatisfy { $0.count == 5 && $0.allSatisfy(\.isNumber) })
        #expect("\(number)".count == 71)
    }

    @Test("Other certificates or rooms give other numbers")
    func differences() {
        let number = SafetyNumber(local: first, remote: second, roomID: "room")
        #expect(number != SafetyNumber(local: first, remote: first, roomID: "room"))
        #expect(number != SafetyNumber(local: first, remote: second, roomID: "roof"))
    }

    @Test("The algorithm is fixed: a number computed by other software")
    func fixed() {
        let number = SafetyNumber(local: first, remote: second, roomID: "room")
        #expect(number.description == "00305 77037 87927 76433 83212 90124 64807 82955 81391 46334 89312 23294")
    }
}
