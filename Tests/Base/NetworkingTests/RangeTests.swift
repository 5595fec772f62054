import Testing

@testable import Networking

/// Ranges, dates, tags and conditions alone (RFC 9110 sections 5.6.7, 8.8, 13 and 14).
@Suite struct RangeTests {
    @Test(
        arguments: [
            (nil, .whole), ("bytes=0-0", .part(0..<1)), ("bytes=0-99", .part(0..<100)), ("bytes=10-", .part(10..<100)),
            ("bytes=-1", .part(99..<100)), ("bytes=-1000", .part(0..<100)), ("bytes=90-1000", .part(90..<100)),
            ("BYTES= 5-6 ", .part(5..<7)), ("bytes=,5-6,", .part(5..<7)), ("bytes=100-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=0-99999999999999999999", .part(0..<100)), ("bytes=-99999999999999999999", .part(0..<100)),
            ("bytes=9223372036854775807-9223372036854775807", .unsatisfiable),
            // Not understood, or several: all of it.
            ("bytes=5-4", .whole), ("bytes=-", .whole), ("bytes=", .whole), ("bytes=1-2,4-5", .whole),
            ("lines=1-2", .whole),
            ("bytes=1--2", .whole), ("bytes=+1-2", .whole), ("bytes=a-b", .whole), ("", .whole),
            ("bytes=1-2-3", .whole),
        ] as [(String?, ByteRange)])
    func readsARange(field: String?, range: ByteRange) {
        #expect(ByteRange(field, size: 100) == range)
    }

    @Test func nothingOfAnEmptyResourceCanBeAskedFor() {
        for field in ["bytes=0-", "bytes=-5", "bytes=0-0"] { #expect(ByteRange(field, size: 0) == .unsatisfiable) }
        #expect(ByteRange(nil, size: 0) == .whole)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func readsAllThreeFormsOfADate(text: String) {
        #expect(HTTPDate(text)?.seconds == 784_111_777)
        #expect(HTTPDate(text)?.description == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        "", "x", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT",
    ])
    func refusesWhatIsNoDate(text: String) { #expect(HTTPDate(text) == nil) }

    @Test func writesDatesThatItReads() {
        for seconds in stride(from: -30_000_000_000, through: 200_000_000_000, by: 12_345_678_901) {
            let date = HTTPDate(seconds: seconds)
            #expect(HTTPDate(date.description) == date)
        }
        #expect(HTTPDate(seconds: 951_782_400).description == "Tue, 29 Feb 2000 00:00:00 GMT")
        #expect(HTTPDate(seconds: .max).description == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate(HTTPDate(seconds: .min).description)?.seconds == HTTPDate(seconds: .min).seconds)
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"

    @Test(
        arguments: [
            ([:], 200), (["range": "bytes=0-9"], 206), (["range": "bytes=100-"], 416),
            (["if-none-match": "\"a\""], 304), (["if-none-match": "W/\"a\", \"b\""], 304),
            (["if-none-match": "*"], 304),
            (["if-none-match": "\"b\""], 200), (["if-none-match": "b"], 200),
            // A tag counts more than a date.
            (["if-none-match": "\"b\"", "if-modified-since": date], 200),
            (["if-modified-since": date], 304), (["if-modified-since": earlier], 200),
            (["if-modified-since": "x"], 200),
            (["if-match": "\"a\""], 200), (["if-match": "*"], 200), (["if-match": "W/\"a\""], 412),
            (["if-match": "\"b\""], 412), (["if-match": "\"b\", \"a\""], 200),
            (["if-unmodified-since": date], 200), (["if-unmodified-since": earlier], 412),
            (["if-match": "\"a\"", "if-unmodified-since": earlier], 200),
            (["if-match": "\"a\"", "if-none-match": "\"a\""], 304),
            (["range": "bytes=0-9", "if-range": "\"a\""], 206), (["range": "bytes=0-9", "if-range": "\"b\""], 200),
            (["range": "bytes=0-9", "if-range": "W/\"a\""], 200), (["range": "bytes=0-9", "if-range": date], 206),
            (["range": "bytes=0-9", "if-range": earlier], 200), (["range": "bytes=100-", "if-range": "\"b\""], 200),
        ] as [([String: String], Int)])
    func answersConditions(fields: [String: String], status: Int) throws {
        var request = HTTPRequest(path: "/")
        for (name, value) in fields { request.headers[name] = value }
        let representation = HTTPRepresentation(
            size: 100, tag: EntityTag("a"), modified: HTTPDate(Self.date), headers: ["content-type": "text/plain"])
        func answer(_ now: HTTPDate) -> HTTPResponse {
            representation.response(to: request, now: now) { range in HTTPContent(count: range.count) { _ in } }
        }
        let response = answer(.now)
        #expect(response.status == status)
        switch status {
        case 200: #expect(response.content?.count == 100 && response.headers["accept-ranges"] == "bytes")
        case 206: #expect(response.content?.count == 10 && response.headers["content-range"] == "bytes 0-9/100")
        case 416: #expect(response.headers["content-range"] == "bytes */100" && response.content == nil)
        default: #expect(response.content == nil && response.headers["content-type"] == nil)
        }
        if status != 416 { #expect(response.headers["etag"] == "\"a\"") }
        // While the second of the change lasts, the date does not tell versions apart.
        if fields["if-range"] == Self.date { #expect(answer(try #require(HTTPDate(Self.date))).status == 200) }
        request.method = "HEAD"
        #expect(answer(.now).status == (status == 206 || status == 416 ? 200 : status))
        request.method = "POST"
        #expect(answer(.now).status == 405)
    }
}
