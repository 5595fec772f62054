internal import Redis

/// The life of a code: created, accepted, seen.
///
/// Scripts compare digests of tickets. How long that takes tells nobody a ticket: who guesses does not choose the digest.
extension RedisRoomStore {
    func create(_ request: Creation, now: Timestamp) throws -> Creation.Outcome {
        try ask(creation(request, now: now), now)
    }

    func accept(_ request: Acceptance, now: Timestamp) throws -> Acceptance.Outcome {
        try ask(acceptance(request), now)
    }

    func watch(code: String, by creator: Proof, now: Timestamp) throws -> Check {
        try ask(checking(code, by: creator, isWatch: true, now: now), now)
    }

    func check(code: String, by creator: Proof, now: Timestamp) throws -> Check {
        try ask(checking(code, by: creator, isWatch: false, now: now), now)
    }

    func news(of codes: [String], now: Timestamp) throws -> [String: CodeNews] {
        let node = Array(limits?.node ?? "") as [UInt8]
        let values = try run(RedisScripts.news, now, [node] + codes.map { Array($0) }).values
        return zip(codes, values).reduce(into: [:]) { news, found in
            switch found.1.text {
            case "gone": news[found.0] = .gone
            case let text? where text.hasPrefix("room "): news[found.0] = .accepted(room: String(text.dropFirst(5)))
            default: break
            }
        }
    }

    func creation(_ request: Creation, now: Timestamp, _ limits: [[UInt8]] = []) -> RedisQuestion<Creation.Outcome> {
        let arguments: [[UInt8]] = [
            Array(request.code), Array(request.creator.device), request.creator.ticket ?? [],
            Array(decimal: request.expiresAt - now), Array(decimal: request.limit), request.nonce,
        ]
        return RedisQuestion(script: RedisScripts.create, arguments: arguments + limits) { answer in
            switch answer.word {
            case "created": .created(expiresAt: try answer.number(1))
            case "repeated": .repeated(nonce: try answer.bytes(1))
            case "inUse": .codeInUse
            case "full": .full
            default: throw try answer.refusal()
            }
        }
    }

    func acceptance(_ request: Acceptance, _ limits: [[UInt8]] = []) -> RedisQuestion<Acceptance.Outcome> {
        let arguments: [[UInt8]] = [
            Array(request.code), Array(request.guest.device), request.guest.ticket ?? [], Array(request.room),
            Array(decimal: request.grace), Array(decimal: request.limit),
        ]
        return RedisQuestion(script: RedisScripts.accept, arguments: arguments + limits) { answer in
            switch answer.word {
            case "accepted": .accepted(room: try answer.text(1), watchers: try answer.names(2))
            case "repeated": .repeated(room: try answer.text(1))
            case "unknown": .unknown
            case "conflict": .conflict
            case "full": .full
            default: throw try answer.refusal()
            }
        }
    }

    /// - Parameter isWatch: it does not count as seen, and this node is told when the guest comes.
    func checking(
        _ code: String, by creator: Proof, isWatch: Bool, now: Timestamp, _ limits: [[UInt8]] = []
    ) -> RedisQuestion<Check> {
        let kind = creator.device == nil ? "nobody" : creator.ticket == nil ? "bare" : "ticket"
        let arguments: [[UInt8]] = [
            Array(code), Array(kind), Array(creator.device ?? ""), creator.ticket ?? [],
            Array(decimal: Self.repeatWindow), Array(isWatch ? "watch" : "check"), Array(self.limits?.node ?? ""),
        ]
        return RedisQuestion(script: RedisScripts.check, arguments: arguments + limits) { answer in
            switch answer.word {
            case "pending": .pending(expiresAt: now + (try answer.number(1)))
            case "accepted": .accepted(room: try answer.text(1))
            case "unknown": .unknown
            case "forbidden": .forbidden
            default: throw try answer.refusal()
            }
        }
    }
}
