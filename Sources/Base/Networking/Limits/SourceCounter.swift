/// Counts what each client, and each network of clients, has at this moment. A plain value.
package struct SourceCounter: Sendable {
    private let byClient: Int
    private let byNetwork: Int
    private var clients: [String: Int] = [:]
    private var networks: [String: Int] = [:]

    /// Counts nothing yet.
    /// - Parameters:
    ///   - byClient: how many a client may have; `Int.max` counts without a limit.
    ///   - factor: how many times as much a network may have as a client.
    package init(_ byClient: Int, network factor: Int) {
        self.byClient = byClient
        byNetwork = byClient.multipliedOrMax(by: factor)
    }

    /// Whether the client, and its network, may have one more.
    package func hasRoom(for source: ClientAddress) -> Bool {
        guard byClient < .max else { return true }
        return clients[source.key, default: 0] < byClient
            && source.network.map { networks[$0, default: 0] < byNetwork } ?? true
    }

    /// How many the client has.
    package func count(of source: ClientAddress) -> Int { clients[source.key, default: 0] }

    /// How many the client's network has; 0 if it has none.
    package func networkCount(of source: ClientAddress) -> Int {
        source.network.map { networks[$0, default: 0] } ?? 0
    }

    /// One more, whether or not there is room for it.
    package mutating func add(_ source: ClientAddress) {
        clients[source.key, default: 0] += 1
        if let network = source.network { networks[network, default: 0] += 1 }
    }

    /// One less, never less than none.
    package mutating func remove(_ source: ClientAddress) {
        Self.decrease(&clients, source.key)
        if let network = source.network { Self.decrease(&networks, network) }
    }

    private static func decrease(_ counts: inout [String: Int], _ key: String) {
        let count = (counts[key] ?? 0) - 1
        counts[key] = count > 0 ? count : nil
    }
}

extension Int {
    /// The product, or the largest number if it is greater.
    func multipliedOrMax(by factor: Int) -> Int {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        return isTooLarge ? .max : product
    }
}
