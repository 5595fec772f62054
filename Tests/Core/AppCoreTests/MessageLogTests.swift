import Testing

@testable import AppCore

@Suite struct MessageLogTests {
    /// Lifetimes change between messages, so messages do not expire in the order of arrival.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func messagesGoWhenTheirTimeHasCome(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var log = MessageLog()
        var plain: [Message] = []
        for step in 0..<600 {
            let now = Timestamp(milliseconds: Int64(step))
            var message = Message(
                id: MessageID("m\(step)"), order: 0, direction: .received, body: .text("x"), at: now, sentAt: now,
                status: .read)
            let agreed: Int64? = [nil, 50, 100, 200][(step / 150 + Int(seed)) % 4]
            let lifetime = agreed ?? Int64.random(in: 1...300, using: &random)
            if Int.random(in: 0..<10, using: &random) > 0 {
                message.expiresAt = now.advanced(byMilliseconds: lifetime)
            }
            log.append(message)
            message.order = UInt64(step) + 1
            plain.append(message)
            if step % 7 == 0 {
                let isExpired = { (message: Message) in message.expiresAt.map { $0 <= now } ?? false }
                let gone = log.removeExpired(at: now)
                #expect(Set(gone) == Set(plain.filter(isExpired)))
                plain.removeAll(where: isExpired)
            }
            #expect(log.nextExpiry == plain.compactMap(\.expiresAt).min())
        }
        #expect(Array(log.all) == plain)
        for message in plain { #expect(log[message.id] == message) }
    }

    /// Messages go one at a time from anywhere, and the others are found as before.
    @Test func aMessageInTheMiddleGoes() {
        let messages = (1...1000 as ClosedRange<UInt64>).map { Self.message($0, expiresAt: $0 % 10 == 0 ? $0 : nil) }
        var log = MessageLog(messages)
        var plain = messages
        var random = SplitMix64(seed: 1)
        while let message = plain.randomElement(using: &random) {
            #expect(log.remove(message.id) == message && log[message.id] == nil && log.remove(message.id) == nil)
            plain.removeAll { $0.id == message.id }
            if plain.count % 97 == 0 {
                #expect(Array(log.all) == plain && plain.allSatisfy { log[$0.id] == $0 })
                #expect(log.nextExpiry == plain.compactMap(\.expiresAt).min())
            }
        }
        #expect(log.isEmpty && log.savedBytes == 0 && log.pendingCount == 0 && log.nextOrder == 1001)
    }

    /// What a damaged record says makes no later message lost.
    @Test func ordersThatAreTakenTwiceOrTheLastOneDoNoHarm() {
        var log = MessageLog([
            Self.message(7, id: "b"), Self.message(7, id: "a"), Self.message(1 << 53, id: "last"),
            Self.message(.max, id: "very last"),
        ])
        log.append(Self.message(0, id: "new"))
        #expect(log.all.map(\.id) == ["a", "b", "new"] && log["b"]?.id == "b" && log["new"]?.order == 8)
    }

    private static func message(_ order: UInt64, id: MessageID? = nil, expiresAt: UInt64? = nil) -> Message {
        Message(
            id: id ?? MessageID("m\(order)"), order: order, direction: .sent, body: .text("x"),
            at: Timestamp(milliseconds: 0), sentAt: Timestamp(milliseconds: 0), status: .pending,
            expiresAt: expiresAt.map { Timestamp(milliseconds: Int64($0)) })
    }
}
