import AppCore
import Foundation
import Testing

/// Our encoder beside Foundation's: the same bytes.
@Suite struct JSONWriterTests {
    @Test(arguments: [
        "", "plain", "\"quoted\\ / slashed\"", "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \u{7F}\u{80}", "Grüße 👋🏽 \u{2028}",
    ]) func `texts`(text: String) throws {
        try compare(text)
        try compare([text, text])
        try compare([text: text])
    }

    @Test(
        arguments: [
            0, 1, -1, 0.5, -20, 3, 1e15, 1e16, 1e17, 123_456_789_012_345_680, 1e300, -0.0, .pi, 0.1 + 0.2,
            1 / 3,
            .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e-7, 100, 52.52000659999999,
        ] as [Double]) func `numbers`(number: Double) throws
    {
        try compare(number)
        try compare(Float(number.clamped))
        try compare([number])
    }

    @Test func `whole numbers, flags, nothing`() throws {
        try compare([Int64.min, -1, 0, 1, .max])
        try compare([UInt64.max])
        try compare([UInt8(255)])
        try compare([true, false])
        try compare([1, nil, 3] as [Int?])
        try compare(nil as Int?)
        try compare([[], [[1], []]] as [[[Int]]])
        try compare([String: Int]())
    }

    @Test func `keys are changed, those of dictionaries are not`() throws {
        try compare(Keys())
        try compare(["sentAt": Keys(), "a_B": Keys(), "ä": Keys(), "Z": Keys()])
        try compare([3: "number", -1: "key"])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func `what JSON cannot say throws`(number: Double) {
        #expect(throws: EncodingError.self) { try JSON.encode([number]) }
    }

    @Test func `JSON of any kind`() throws {
        let text = #"{"B":[1,2.5,null,true,{"innerKey":"x"}],"a":-1e-9,"ä":"","Ä":{},"":[],"a b":"\u0000"}"#
        try compare(try JSON.decode(JSONValue.self, from: text.utf8))
    }

    @Test func `a core with everything in it`() throws {
        for seed in UInt64(0)..<20 {
            var random = SplitMix64(seed: seed)
            var driver = CoreDriver(clock: LogicalClock(seed: seed))
            driver.dispatch(.event(.started(locked: false, records: [])))
            driver.dispatch(.app(.becameActive))
            for _ in 0..<30 {
                let code = String(100_000 + random.next() % 900_000)
                let step = driver.dispatch(.rooms(.joinRoom(code: code, words: nil, name: "Ann \"\(seed)\"")))
                try compare(step.input)
                try compare(step.outcome)
                for effect in step.outcome.effects where random.next() % 2 == 0 {
                    driver.dispatch(.event(.roomJoined(effect: effect.id, serverRoom: "s")))
                }
            }
            try compare(driver.state)
            try compare(driver.core.tree)
        }
    }

    private func compare(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let theirs = String(decoding: try encoder.encode(value), as: UTF8.self)
        #expect(String(decoding: try JSON.encode(value), as: UTF8.self) == theirs)
    }

    private struct Keys: Encodable {
        var plain = 1
        var sentAt = 2
        var serverURL = 3
        var urlOfServer = 4
        var myURLProperty = 5
        var isOK = 6
        var aB = 7
        var capitals = 8
        var x1Y2 = 9
        var underscored = 10
        var none: Int?

        enum CodingKeys: String, CodingKey {
            case plain, sentAt, serverURL, urlOfServer, myURLProperty, isOK, aB, x1Y2, none
            case capitals = "ABCd"
            case underscored = "with_underscore"
        }
    }
}

extension Double {
    /// Within what a `Float` can be.
    fileprivate var clamped: Double { min(max(self, -1e30), 1e30) }
}
