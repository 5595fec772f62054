import Cryptography
import Testing

@testable import Rooms

struct MeetingPlaceTests {
    private let place = MeetingPlace(secret: SecretBytes(copying: 0..<32))

    /// Computed by another program.
    @Test(arguments: [
        (Int64(0), "p752mutwfh2jk6q6ib5stzovwe"), (1, "g5lxztkf5u3jc6cifuozie2lpm"),
        (82000, "xka32f4acy4wbkyeduf3synwca"), (82001, "4cjywsvtorldidh73rkpg6xfca"),
    ])
    func ids(number: Int64, id: String) throws {
        #expect(try place.id(in: MeetingPeriod(number: number)) == id)
    }

    @Test func whatTakesThePlaceOfTheWords() throws {
        let secret = try place.resumption().withUnsafeBytes { Array($0) }
        let hex = secret.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(hex == "f882cd0c150f18f3d4b0f1ba53210d2858494b0d5b35b764dde1ace8a97ecf32")
    }

    @Test(
        arguments: [
            (Int64(0), Int64(-1)), (30 * 60_000 - 1, -1), (30 * 60_000, nil), (3 * 3_600_000, nil),
            (6 * 3_600_000 - 30 * 60_000 - 1, nil), (6 * 3_600_000 - 30 * 60_000, 1), (6 * 3_600_000 - 1, 1),
        ] as [(Int64, Int64?)])
    func aNeighbourIsLookedForNearTheBorderOnly(time: Int64, neighbour: Int64?) {
        let start = 82_000 * MeetingPeriod.length
        #expect(MeetingPeriod(number: 82_000).neighbour(at: start + time)?.number == neighbour.map { 82_000 + $0 })
    }

    @Test(arguments: [(Int64(0), Int64(0)), (21_599_999, 0), (21_600_000, 1), (1_771_200_000_000, 82_000)])
    func periodsAreSixHoursOfUTC(time: Int64, number: Int64) {
        let period = MeetingPeriod(at: time)
        #expect(period.number == number)
        #expect(MeetingPeriod(at: time + period.remaining(at: time)).number == number + 1)
    }
}
