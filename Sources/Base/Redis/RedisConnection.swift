internal import CHiredis
internal import Platform

/// One connection to Redis, over hiredis. It has one owner, blocks, and is of no use after a thrown `lost`.
package final class RedisConnection {
    private let context: UnsafeMutablePointer<redisContext>

    /// Connects, signs in and chooses the database.
    /// - Parameter timeout: how long each step, and later each answer, may take.
    package init(_ address: RedisAddress, timeout: Duration) throws(RedisError) {
        ProcessLimits.ignoreBrokenPipes()
        let limit = Self.time(timeout)
        let opened =
            switch address.endpoint {
            case .tcp(let host, let port): redisConnectWithTimeout(host, port, limit)
            case .unix(let path): redisConnectUnixWithTimeout(path, limit)
            }
        guard let opened else { throw RedisError(.unreachable, "there is no memory for a connection to Redis") }
        context = opened
        guard opened.pointee.err == 0, redisSetTimeout(opened, limit) == REDIS_OK else {
            throw RedisError(.unreachable, "no connection to Redis at \(address): \(Self.reason(opened))")
        }
        if let password = address.password {
            try command(
                RedisCommand([["AUTH"], address.user.map { [$0] } ?? [], [password]].joined().map { Array($0.utf8) }))
        }
        if address.database != 0 { try command(RedisCommand("SELECT", String(address.database))) }
    }

    deinit { redisFree(context) }

    /// Sends a command and waits for its answer. A refusal is thrown.
    @discardableResult
    package func command(_ command: RedisCommand) throws(RedisError) -> RedisValue {
        let answers = try pipeline([command])
        guard let answer = answers.first else { throw RedisError(.lost, "Redis gave no answer") }
        if case .failure(let error) = answer { throw error }
        return answer
    }

    /// Sends several commands at once. Refusals are among the answers.
    package func pipeline(_ commands: [RedisCommand]) throws(RedisError) -> [RedisValue] {
        for command in commands { try append(command) }
        var answers: [RedisValue] = []
        for _ in commands { answers.append(try nextAnswer()) }
        return answers
    }

    /// Subscribes to channels, and returns once Redis passes on what is published in any of them. What came in one of them before is dropped.
    package func subscribe(to channels: [String]) throws(RedisError) {
        try append(RedisCommand((["SUBSCRIBE"] + channels).map { Array($0.utf8) }))
        var missing = channels.count
        while missing > 0 {
            let answer = try nextAnswer()
            if case .failure(let error) = answer { throw error }
            // A message in the first channel may come before the answer for the second.
            if answer.array?.first?.text == "subscribe" { missing -= 1 }
        }
    }

    /// Waits for what a subscription brings; nil if nothing came in this time.
    package func receive(within time: Duration) throws(RedisError) -> RedisValue? {
        if let value = try buffered() { return value }
        var waiting = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
        let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
        guard poll(&waiting, 1, Int32(clamping: milliseconds)) > 0 else { return nil }
        guard redisBufferRead(context) == REDIS_OK else { throw lost() }
        return try buffered()
    }

    /// Whether it broke while nothing was asked: then there is something to read, the end. Not for subscriptions.
    package var isBroken: Bool {
        var waiting = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) != 0
    }

    private func buffered() throws(RedisError) -> RedisValue? {
        var reply: UnsafeMutableRawPointer?
        guard redisGetReplyFromReader(context, &reply) == REDIS_OK else { throw lost() }
        return reply.map(Self.take)
    }

    private func nextAnswer() throws(RedisError) -> RedisValue {
        var reply: UnsafeMutableRawPointer?
        guard redisGetReply(context, &reply) == REDIS_OK, let reply else { throw lost() }
        return Self.take(reply)
    }

    private static func take(_ reply: UnsafeMutableRawPointer) -> RedisValue {
        defer { freeReplyObject(reply) }
        return RedisValue(reply.assumingMemoryBound(to: redisReply.self).pointee)
    }

    /// hiredis takes pointers into one buffer with all arguments.
    private func append(_ command: RedisCommand) throws(RedisError) {
        let lengths = command.arguments.map(\.count)
        let joined = Array(command.arguments.joined()) + [0]
        let status = joined.withUnsafeBytes { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var start = 0
            for length in lengths {
                pointers.append(buffer.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) })
                start += length
            }
            return redisAppendCommandArgv(context, Int32(lengths.count), &pointers, lengths)
        }
        guard status == REDIS_OK else { throw lost() }
    }

    private func lost() -> RedisError { RedisError(.lost, "the connection to Redis broke: \(Self.reason(context))") }

    private static func reason(_ context: UnsafeMutablePointer<redisContext>) -> String {
        withUnsafeBytes(of: &context.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func time(_ duration: Duration) -> timeval {
        let (seconds, attoseconds) = duration.components
        return timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    }
}
