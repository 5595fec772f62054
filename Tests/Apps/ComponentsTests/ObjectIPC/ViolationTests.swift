import Components
import Synchronization
import Testing

/// What is no message of the object IPC closes the connection, or is answered with an exception, and never does harm.
struct ViolationTests {
    private let end = LoneEnd(root: ServiceObject(functions: ["f": .immediate { _ in [1] }]))

    private var isViolated: Bool {
        guard case .violation = end.ends.first else { return false }
        return end.ends.count == 1 && end.connection.end == end.ends.first
    }

    @Test(arguments: [
        "", "00", "ff", "0a", "0aff", "0a00", "08", "0a0508", "0a0100", "0a020000", "0801", "0a02ffff", "0d00000000",
        "0a090a0573746172741203", "0a0a0a057374617274120108", "0a0a0a0573746172741a01ff", "0a0b0a05737461727412020aff",
        "0a0b0a057374617274120208ff", "0a090a057374617274120112",
        // Groups.
        "0b0c", "0a0b0a0573746172741202080113",
        // A number where text belongs, and the other way round.
        "0a0208010a", "0a070a057374617274120a02ffff",
        // Longer than 64 bits.
        "0a140a0573746172741211" + "08ffffffffffffffffffff01",
        // A length beyond everything.
        "0affffffffffffffffff01", "0a0b0a05737461727412ffffff7f",
        // A body that is no bytes value.
        "0a0b0a0573746172741202080110ff", "0a0b0a057374617274120208011205",
    ])
    func malformedBytesCloseTheConnection(hex: String) throws {
        end.connection.receive(try #require(unhex(hex)))
        #expect(isViolated)
        #expect(end.take() == [])
    }

    @Test(arguments: ["start", "interim", "end", "error", "cancel", "list-obj", "", "other"])
    func aMessageWithoutANumberClosesTheConnection(type: String) {
        end.receive(type, nil, path: ["w3n", "f"])
        #expect(isViolated)
    }

    @Test(arguments: [[], ["1", "2"]])
    func aDropOfNoObjectClosesTheConnection(path: [String]) {
        end.receive("drop", nil, path: path)
        #expect(isViolated)
    }

    @Test(arguments: ["", "other", "drop", "Start", "start "])
    func anUnknownKindIsAnsweredWithAnException(type: String) {
        end.receive(type, 5)
        #expect(end.takeReplies().map(\.exception) == [RuntimeException(ipc: .invalidType)])
        #expect(end.ends == [])
    }

    @Test(arguments: ["interim", "end", "error", "cancel"])
    func answersToNothingAreIgnored(type: String) {
        end.receive(type, 5, [1, 2, 3])
        #expect(end.take() == [] && end.ends == [])
    }

    @Test func everyTruncationIsRefusedOrAnswered() {
        let whole = IpcProto.Envelope(
            headers: IpcProto.EnvelopeHeaders(msgType: "start", fnCallNum: .init(value: 300), path: ["w3n", "f"]),
            body: .init(value: [1, 2, 3])
        ).encoded
        for count in 0..<whole.count {
            let end = LoneEnd(root: ServiceObject(functions: ["f": .immediate { $0.body.map(Array.init) }]))
            end.connection.receive(Array(whole.prefix(count)))
            #expect(end.ends.count == 1 || end.takeReplies() == [Reply("end", 300)], "\(count) bytes")
        }
    }

    @Test func unknownFieldsAreSkippedAndLastValuesCount() throws {
        // Fields 9 of every wire type in the envelope and in its headers; two kinds, of which the last is `start`.
        let extra = "4801" + "49" + "0102030405060708" + "4a0101" + "4d01020304"
        let headers = "0a03656e64" + "0a057374617274" + "12020805" + "1a0377336e" + "1a0166" + extra
        let bytes = try #require(unhex(extra + "0a" + Self.length(headers) + headers + "12030a01ff" + "12030a0107"))
        end.connection.receive(bytes)
        #expect(end.takeReplies() == [Reply("end", 5, [1])])
    }

    private static func length(_ hexText: String) -> String { hex([UInt8(hexText.count / 2)]) }

    @Test func textThatIsNotUnicodeClosesTheConnection() throws {
        end.connection.receive(try #require(unhex("0a0e0a057374617274120208011a01ff")))
        #expect(isViolated)
    }

    @Test func pathsAndMessagesHaveLimits() {
        var limits = ConnectionLimits()
        limits.message = 1000
        for (path, isTaken) in [
            (Array(repeating: "a", count: 16), true), (Array(repeating: "a", count: 17), false),
            ([String(repeating: "a", count: 128)], true), ([String(repeating: "a", count: 129)], false),
            (Array(repeating: String(repeating: "a", count: 100), count: 10), false),
        ] {
            let end = LoneEnd(limits: limits)
            end.receive("start", 1, path: path)
            #expect(end.ends.isEmpty == isTaken, "\(path.count) names")
        }
    }
}
