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
}
