/// Counts the candidates of the peer for each ICE generation, whether they came with the description or after it, so
/// that a peer cannot make this side check or look up more than a few.
struct RemoteCandidates {
    /// The most names that are looked up in one generation, and at the same time. A browser has one name for each of
    /// its addresses.
    static let mostNames = 16

    private var fragment: String?
    private var taken: Set<String> = []
    private var names: Set<String> = []
    /// Look-ups under way, also for older generations.
    private var lookups = 0

    var isFull: Bool { taken.count >= SessionDescription.mostCandidates }

    /// A description of the peer was set. New credentials begin a new generation.
    mutating func begin(_ fragment: String) {
        guard fragment != self.fragment else { return }
        self.fragment = fragment
        taken = []
        names = []
    }

    /// Whether the candidate is new, and within the limit.
    mutating func take(_ candidate: ICECandidate) -> Bool {
        guard !isFull else { return false }
        let place = "\(candidate.component) \(candidate.transport) \(candidate.address) \(candidate.port)"
        return taken.insert("\(place) \(candidate.kind)").inserted
    }

    /// Whether the name may be looked up now. If so, call ``lookedUp()`` afterwards.
    mutating func lookUp(_ name: String) -> Bool {
        guard Self.isName(name), lookups < Self.mostNames else { return false }
        guard names.contains(name) || names.count < Self.mostNames else { return false }
        names.insert(name)
        lookups += 1
        return true
    }

    mutating func lookedUp() { lookups -= 1 }

    /// One label under `.local`, as browsers generate them (RFC 8828). Longer names could be sent to a DNS server.
    private static func isName(_ name: String) -> Bool {
        let label = name.utf8.dropLast(".local".utf8.count)
        let isASCII = label.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d
        }
        return name.hasSuffix(".local") && (1...63).contains(label.count) && isASCII
    }
}
