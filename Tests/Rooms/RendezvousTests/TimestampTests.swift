import Testing

@testable import Rendezvous

struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_795_226_520_125, "2026-11-21T02:02:00.125Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        ] as [(Timestamp, String)])
    func timesAreWrittenInUTC(_ time: Timestamp, _ text: String) {
        #expect(time.iso8601 == text)
    }
}
