internal import CHiredis
internal import Networking

/// One connection to Redis. It has one owner, blocks, and is of no use after a thrown `lost`.
///
/// Bytes go over our own stream, which knows TLS and keeps to its time; hiredis reads the answers.
package final class RedisConnection {
    private let stream: BlockingStream
    private let reader: UnsafeMutablePointer<redisReader>
    private let timeout: Duration
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)

    /// Connects, signs in, chooses the database, and makes sure that it is a master if sentinels say so.
    /// - Parameter timeout: how long each step, and later each answer, may take.
    package convenience init(_ address: RedisAddress, timeout: Duration) throws(RedisError) {
        var direct = address
        if case .sentinels(let sentinels, let name) = address.endpoint {
            direct.endpoint = .tcp(try SentinelQuestion(name, address, timeout).master(among: sentinels))
        }
        try self.init(to: direct, timeout: timeout)
        guard case .sentinels = address.endpoint else { return }
        guard try command(RedisCommand("ROLE")).array?.first?.text == "master" else {
            throw RedisError(.readOnly, "the Redis that the sentinels name is no master, or no longer one")
        }
    }

    private init(to address: RedisAddress, timeout: Duration) throws(RedisError) {
        do throws(RedisError) {
            stream = try Self.stream(address, timeout)
        } catch {
            buffer.deallocate()
            throw error
        }
        guard let reader = redisReaderCreate() else {
            buffer.deallocate()
            throw RedisError(.unreachable, "there is no memory for a connection to Redis")
        }
        self.reader = reader
        self.timeout = timeout
        try greet(address)
        if address.password != nil { try signIn(address) }
        if address.database != 0 { try command(RedisCommand("SELECT", String(address.database))) }
    }

    deinit {
        redisReaderFree(reader)
        buffer.deallocate()
    }

    private static func stream(_ address: RedisAddress, _ timeout: Duration) throws(RedisError) -> BlockingStream {
        do throws(NetworkingError) {
            switch address.endpoint {
            case .tcp(let host):
                return try BlockingStream(host: host.name, port: host.port, tls: address.tls, within: timeout)
            case .unix(let path): return try BlockingStream(path: path)
            case .sentinels: throw NetworkingError(.invalidURL, "sentinels keep no data")
            }
        } catch {
            throw RedisError(connecting: error, to: address)
        }
    }

    /// With TLS 1.3 only the first answer shows whether Redis takes this client.
    private func greet(_ address: RedisAddress) throws(RedisError) {
        guard let tls = address.tls else { return }
        do throws(RedisError) {
            // Any answer will do, such as that a password is missing.
            _ = try pipeline([RedisCommand("PING")])
        } catch {
            let hint =
                tls.identity == nil
                ? "if it asks its clients for a certificate (tls-auth-clients), name one"
                : "it may not accept the certificate of this client"
            throw RedisError(.unreachable, "Redis at \(address) ended the connection after TLS was agreed on: \(hint)")
        }
    }

    private func signIn(_ address: RedisAddress) throws(RedisError) {
        let words = [["AUTH"], address.user.map { [$0] } ?? [], address.password.map { [$0] } ?? []].joined()
        let answers = try pipeline([RedisCommand(words.map { Array($0.utf8) })])
        // What Redis says may repeat the words of the command.
        if case .failure(let error) = answers.first {
            throw RedisError(error.code, "Redis at \(address) does not accept this user and password")
        }
    }

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
        try send(commands)
        var answers: [RedisValue] = []
        for _ in commands { answers.append(try nextAnswer()) }
        return answers
    }

    /// Subscribes to channels, and returns once Redis passes on what is published in any of them. What came in one of them before is dropped.
    package func subscribe(to channels: [String]) throws(RedisError) {
        try send([RedisCommand((["SUBSCRIBE"] + channels).map { Array($0.utf8) })])
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
        return try isRead(within: time) ? try buffered() : nil
    }

    /// Whether it broke while nothing was asked: then there is something to read, the end. Not for subscriptions.
    package var isBroken: Bool { (try? isRead(within: .zero)) != false }

    private func send(_ commands: [RedisCommand]) throws(RedisError) {
        var wire: [UInt8] = []
        for command in commands { command.write(to: &wire) }
        do throws(NetworkingError) {
            try stream.write(wire, within: timeout)
        } catch {
            throw lost(error.message)
        }
    }

    private func nextAnswer() throws(RedisError) -> RedisValue {
        let deadline = ContinuousClock.now + timeout
        while true {
            if let value = try buffered() { return value }
            guard try isRead(within: max(.zero, deadline - .now)) else { throw lost("it did not answer in time") }
        }
    }

    /// Whether something came in this time, which the reader has now.
    private func isRead(within time: Duration) throws(RedisError) -> Bool {
        do throws(NetworkingError) {
            guard let count = try stream.read(buffer, within: time) else { return false }
            redisReaderFeed(reader, buffer.baseAddress, count)
            return true
        } catch {
            throw lost(error.message)
        }
    }

    private func buffered() throws(RedisError) -> RedisValue? {
        var reply: UnsafeMutableRawPointer?
        guard redisReaderGetReply(reader, &reply) == REDIS_OK else { throw lost("it did not speak as Redis does") }
        guard let reply else { return nil }
        defer { freeReplyObject(reply) }
        return RedisValue(reply.assumingMemoryBound(to: redisReply.self).pointee)
    }

    private func lost(_ reason: String) -> RedisError {
        RedisError(.lost, "the connection to Redis broke: \(reason)")
    }
}
