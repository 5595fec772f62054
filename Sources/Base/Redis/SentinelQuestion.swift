/// Asks sentinels where the master of a name is. It is asked before each connection, because a failover moves it.
struct SentinelQuestion {
    private let name: String
    private let address: RedisAddress
    private let timeout: Duration

    /// - Parameters:
    ///   - name: of the master.
    ///   - address: whose TLS and password count for the sentinels, too.
    ///   - timeout: for all sentinels together.
    init(_ name: String, _ address: RedisAddress, _ timeout: Duration) {
        (self.name, self.address, self.timeout) = (name, address, timeout)
    }

    /// The first answer. The order differs each time, so that one sentinel that knows less than the others keeps nobody
    /// away for long.
    func master(among sentinels: [RedisAddress.Host]) throws(RedisError) -> RedisAddress.Host {
        var failures: [String] = []
        for sentinel in sentinels.shuffled() {
            do throws(RedisError) {
                if let master = try ask(sentinel, timeout / sentinels.count) { return master }
                failures.append("\(sentinel) knows no master \(name)")
            } catch {
                failures.append("\(sentinel): \(error.message)")
            }
        }
        throw RedisError(.unreachable, "no sentinel says where Redis is: \(failures.joined(separator: "; "))")
    }

    private func ask(_ sentinel: RedisAddress.Host, _ timeout: Duration) throws(RedisError) -> RedisAddress.Host? {
        let question = RedisCommand("SENTINEL", "get-master-addr-by-name", name)
        var place = RedisAddress(.tcp(sentinel), tls: address.tls)
        var answer = try RedisConnection(place, timeout: timeout).pipeline([question]).first
        // Sentinels often have no password. Those that have one are told that of Redis.
        if case .failure(let error) = answer, error.code == .denied, address.password != nil {
            (place.user, place.password) = (address.user, address.password)
            answer = try RedisConnection(place, timeout: timeout).pipeline([question]).first
        }
        if case .failure(let error) = answer { throw error }
        guard let words = answer?.array else { return nil }
        guard words.count == 2, let host = words[0].text, let port = words[1].text.flatMap({ Int($0) }) else {
            throw RedisError(.refused, "it gave an answer of another form")
        }
        return RedisAddress.Host(host, port)
    }
}
