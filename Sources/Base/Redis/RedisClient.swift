/// A connection to Redis that is made again when it broke. It has one owner, and blocks.
///
/// After a failure it waits before the next attempt, twice as long each time and with jitter, and until then fails at
/// once, so that whoever waits behind its owner does not wait for nothing.
package final class RedisClient {
    package let address: RedisAddress
    private let timeout: Duration
    private var connection: RedisConnection?
    private var backoff = Duration.zero
    private var nextAttempt = ContinuousClock.now
    /// Digests by the scripts' names.
    private var scripts: [String: [UInt8]] = [:]

    /// The first and the longest wait before a new attempt.
    static let first = Duration.milliseconds(50)
    static let longest = Duration.seconds(1)

    /// - Parameter timeout: how long to wait for a connection or an answer.
    package init(_ address: RedisAddress, timeout: Duration = .seconds(2)) {
        self.address = address
        self.timeout = timeout
    }

    @discardableResult
    package func command(_ command: RedisCommand) throws(RedisError) -> RedisValue {
        guard let answer = try pipeline([command]).first else { throw RedisError(.lost, "Redis gave no answer") }
        if case .failure(let error) = answer { throw error }
        return answer
    }

    /// Refusals of single commands are among the answers.
    package func pipeline(_ commands: [RedisCommand]) throws(RedisError) -> [RedisValue] {
        let connection = try connected()
        do throws(RedisError) {
            let answers = try connection.pipeline(commands)
            backoff = .zero
            if answers.contains(where: \.isReadOnly) { moveAway() }
            return answers
        } catch {
            self.connection = nil
            postpone()
            throw error
        }
    }

    /// Runs a script by the digest under which Redis remembers it. A Redis that was restarted is told the script again.
    package func run(_ script: RedisScript, keys: [String], _ arguments: [[UInt8]]) throws(RedisError) -> RedisValue {
        guard let answer = try run([(script, arguments)], keys: keys).first else { return .nothing }
        if case .failure(let error) = answer { throw error }
        return answer
    }

    /// Runs several scripts one after the other, sent together. Refusals of single ones are among the answers.
    package func run(_ runs: [(RedisScript, [[UInt8]])], keys: [String]) throws(RedisError) -> [RedisValue] {
        let names = [Array(String(keys.count).utf8)] + keys.map { Array($0.utf8) }
        var answers = try send(runs, names)
        let unknown = answers.indices.filter { answers[$0].isUnknownScript }
        guard !unknown.isEmpty else { return answers }
        for index in unknown { scripts[runs[index].0.name] = nil }
        for (index, answer) in zip(unknown, try send(unknown.map { runs[$0] }, names)) { answers[index] = answer }
        return answers
    }

    private func send(_ runs: [(RedisScript, [[UInt8]])], _ names: [[UInt8]]) throws(RedisError) -> [RedisValue] {
        var commands: [RedisCommand] = []
        for (script, arguments) in runs {
            let digest: [UInt8] = if let known = scripts[script.name] { known } else { try load(script) }
            commands.append(RedisCommand([Array("EVALSHA".utf8), digest] + names + arguments))
        }
        return try pipeline(commands)
    }

    private func load(_ script: RedisScript) throws(RedisError) -> [UInt8] {
        guard let digest = try command(RedisCommand("SCRIPT", "LOAD", script.text)).bytes else {
            throw RedisError(.refused, "Redis takes no scripts")
        }
        scripts[script.name] = digest
        return digest
    }

    private func connected() throws(RedisError) -> RedisConnection {
        if let connection, !connection.isBroken { return connection }
        connection = nil
        guard ContinuousClock.now >= nextAttempt else {
            throw RedisError(.unreachable, "Redis at \(address) was not there a moment ago")
        }
        do throws(RedisError) {
            let made = try RedisConnection(address, timeout: timeout)
            connection = made
            return made
        } catch {
            postpone()
            throw error
        }
    }

    /// This Redis is a replica now. Sentinels know the master, and it is them who are asked next.
    private func moveAway() {
        guard case .sentinels = address.endpoint else { return }
        connection = nil
        postpone()
    }

    private func postpone() {
        backoff = min(max(backoff * 2, Self.first), Self.longest)
        nextAttempt = ContinuousClock.now + backoff * Double.random(in: 0.5...1)
    }
}

extension RedisValue {
    fileprivate var isUnknownScript: Bool {
        if case .failure(let error) = self { error.message.contains("NOSCRIPT") } else { false }
    }

    fileprivate var isReadOnly: Bool { if case .failure(let error) = self { error.code == .readOnly } else { false } }
}

/// A Lua script, which Redis runs as one atomic step.
package struct RedisScript: Sendable {
    /// Differs for each script of a client.
    package let name: String
    package let text: String

    package init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}
