import AgentProtocols
import Testing
import Wire

/// Every frame of the channel of agents and every event in one, as they stand on the wire. Each has members that nobody knows, and all of it comes
/// out as it went in.
@Suite struct SharingTableTests {
    private static let extra = #""_meta":{"a":[1.50,"é",null]},"newer":1e3"#

    private static let frames: [(content: SharingFrame.Content, members: String)] = [
        (.offers([]), #""type":"offers","agents":[]"#),
        (
            .offers([SharedAgentOffer(id: "a1", name: "helper", isReadOnly: true)]),
            #""type":"offers","agents":[{"id":"a1","name":"helper","read_only":true}]"#
        ),
        (
            .state(session: "s", first: 1, last: 0, turn: 0),
            #""type":"state","session":"s","first":1,"last":0,"turn":0"#
        ),
        (
            .event(session: "s", sequence: 7, SharedEvent(.text, ["text": "hi"])),
            #""type":"event","session":"s","sequence":7,"event":{"kind":"text","text":"hi"}"#
        ),
        (
            .promptRefused(session: "s", turn: 2, .notShared),
            #""type":"prompt_refused","session":"s","turn":2,"reason":"not_shared""#
        ),
        (
            .answerRefused(session: "s", request: 3, .gone),
            #""type":"answer_refused","session":"s","request":3,"reason":"gone""#
        ),
        (
            .resume(session: "s", agent: "a1", after: 12),
            #""type":"resume","session":"s","agent":"a1","after":12"#
        ),
        (.prompt(session: "s", turn: 1, text: "go"), #""type":"prompt","session":"s","turn":1,"text":"go""#),
        (
            .prompt(session: "s", turn: 1, text: "go", pictures: 2),
            #""type":"prompt","session":"s","turn":1,"text":"go","pictures":2"#
        ),
        (
            .picture(session: "s", turn: 1, place: 0, piece: "QUJD", isLast: false),
            #""type":"picture","session":"s","turn":1,"place":0,"piece":"QUJD""#
        ),
        (
            .picture(session: "s", turn: 1, place: 1, piece: "", isLast: true),
            #""type":"picture","session":"s","turn":1,"place":1,"piece":"","last":true"#
        ),
        (.cancel(session: "s", turn: 1), #""type":"cancel","session":"s","turn":1"#),
        (
            .answer(session: "s", request: 4, option: "yes"),
            #""type":"answer","session":"s","request":4,"option":"yes""#
        ),
        (.answer(session: "s", request: 4, option: nil), #""type":"answer","session":"s","request":4"#),
        (.received(session: "s", through: 9), #""type":"received","session":"s","through":9"#),
        (.close(session: "s"), #""type":"close","session":"s""#),
        (.unknown, #""type":"dance","session":"s""#),
    ]

    @Test(arguments: frames) func `a frame comes out as it went in`(content: SharingFrame.Content, members: String)
        throws
    {
        let text = "{\(members),\(Self.extra)}"
        let frame = try SharingFrame(text.utf8)
        #expect(frame.content == content)
        #expect(String(decoding: frame.bytes, as: UTF8.self) == text)
        guard content != .unknown else { return }
        #expect(String(decoding: SharingFrame(content).bytes, as: UTF8.self) == "{\(members)}")
    }

    @Test func `the table has every kind of frame`() {
        let named = Set(Self.frames.compactMap { SharingFrame($0.content).object.string("type") })
        #expect(named == Set(SharingFrame.Content.kinds + ["unknown"]))
    }

    @Test(arguments: frames.filter { $0.content != .unknown })
    func `a frame without one of its members, or with another shape of it, is refused`(
        content: SharingFrame.Content, members: String
    ) throws {
        let object = try SharingFrame("{\(members)}".utf8).object
        for member in object.members where !["option", "type", "last"].contains(member.name) {
            let others: [JSONValue?] = member.name == "pictures" ? [.bool(true)] : [nil, .some(.null), .bool(true)]
            for value in others {
                var other = JSONObject()
                for kept in object.members where kept.name != member.name { other.append(kept.name, kept.value) }
                if let value { other.append(member.name, value) }
                #expect(throws: AgentProtocolError.self) { try SharingFrame(JSONValue.object(other).text.utf8) }
            }
        }
    }

    private static let events: [(kind: SharedEvent.Kind, members: String)] = [
        (.turnBegan, #""turn":1"#), (.text, #""text":"é""#), (.reasoning, #""text":"hm","omitted":4"#),
        (.rolledBack, #""whole":true"#),
        (.toolCall, #""call":{"id":"c","results":[{"text":{"text":"x"}}]}"#), (.toolCallChanged, #""call":{"id":"c"}"#),
        (.plan, #""steps":[{"content":"x"}]"#),
        (.permission, #""request":1,"call":{"id":"c"},"options":[{"id":"y","kind":"allow_once"}]"#),
        (.permissionGone, #""request":1"#), (.usage, #""used":5,"size":100"#), (.mode, #""name":"ask""#),
        (.title, #""name":"A title""#), (.detail, #""text":"waits""#), (.remark, #""text":"x","omitted":2"#),
        (.other, #""name":"x""#), (.turnEnded, #""reason":"done""#),
        (.ended, #""code":"ended""#),
    ]

    @Test func `the table has every kind of event`() { #expect(Self.events.map(\.kind) == SharedEvent.Kind.allCases) }

    @Test(arguments: events) func `an event comes out as it went in`(kind: SharedEvent.Kind, members: String) throws {
        let text = #"{"kind":"\#(kind.rawValue)",\#(members),\#(Self.extra)}"#
        let event = try SharedEvent(BoundedJSON.object(text.utf8))
        #expect(event.kind == kind)
        #expect(String(decoding: event.bytes, as: UTF8.self) == text)
        guard ![.usage, .ended, .rolledBack].contains(kind) else { return }
        #expect(throws: AgentProtocolError.self) { try SharedEvent(["kind": .string(kind.rawValue)]) }
    }

    @Test func `an event of another version is kept`() throws {
        let event = try SharedEvent(["kind": "sings", "song": [1, 2]])
        #expect(event.kind == nil && event.object["song"] == [1, 2])
        #expect(throws: AgentProtocolError.self) { try SharedEvent(["song": 1]) }
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"type":1}"#, #"{"type":"close","session":""}"#, #"{"type":"close","session":"../x"}"#,
        #"{"type":"close","session":"s","session":"t"}"#, #"{"type":"received","session":"s","through":-1}"#,
        #"{"type":"received","session":"s","through":9007199254740992}"#,
        #"{"type":"received","session":"s","through":1.5}"#,
        #"{"type":"offers","agents":[{"id":"a","name":"x"},{"id":"a","name":"y"}]}"#,
        #"{"type":"offers","agents":[1]}"#,
        #"{"type":"close","session":"\#(String(repeating: "s", count: 65))"}"#,
        #"{"type":"offers","agents":[\#(Array(repeating: "1", count: 33).joined(separator: ","))]}"#,
    ]) func `what is no frame is refused`(text: String) {
        #expect(throws: AgentProtocolError.self) { try SharingFrame(text.utf8) }
    }

    @Test func `what is too long is refused`() {
        let long = String(repeating: "x", count: SharingLimits.promptBytes + 1)
        let frame = SharingFrame(.prompt(session: "s", turn: 1, text: long))
        #expect(throws: AgentProtocolError.self) { try SharingFrame(frame.bytes) }
        #expect(throws: AgentProtocolError.self) {
            try SharingFrame([UInt8](repeating: UInt8(ascii: " "), count: SharingLimits.frameBytes + 1))
        }
    }

    // MARK: Messages of the channel

    @Test(arguments: [0, 1, SharingLimits.messageBytes, SharingLimits.messageBytes + 1, SharingLimits.frameBytes])
    func `a frame goes in as many messages as it takes`(count: Int) throws {
        let frame = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let messages = SharingParts.messages(of: frame)
        #expect(messages.allSatisfy { $0.count <= SharingLimits.messageBytes + 1 })
        var parts = SharingParts()
        var whole: [UInt8]?
        for (place, message) in messages.enumerated() {
            whole = try parts.add(message)
            #expect((whole == nil) == (place < messages.count - 1))
        }
        #expect(whole == frame)
        #expect(parts.heldBytes == 0)
    }

    @Test func `a frame that does not end is passed over, and the next one is read`() throws {
        var parts = SharingParts()
        let piece = [1] + [UInt8](repeating: 7, count: SharingLimits.messageBytes)
        for _ in 0..<1000 {
            #expect(try parts.add(piece) == nil)
            #expect(parts.heldBytes <= SharingLimits.frameBytes)
        }
        #expect(throws: AgentProtocolError.self) { try parts.add([0]) }
        #expect(try parts.add([0, 1, 2]) == [1, 2])
        for bad: [UInt8] in [[], [2, 1], [UInt8](repeating: 0, count: SharingLimits.messageBytes + 2)] {
            #expect(throws: AgentProtocolError.self) { try parts.add(bad) }
        }
    }
}
