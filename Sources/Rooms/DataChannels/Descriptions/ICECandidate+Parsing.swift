extension ICECandidate {
    /// The longest line that is read.
    static let longestLine = 1024

    /// Reads `[a=]candidate:foundation component transport priority address port typ kind …`.
    init(parsing text: Substring) throws(PeerConnectionError) {
        func refuse(_ why: String) -> PeerConnectionError {
            PeerConnectionError(.invalidCandidate, "candidate line: \(why)")
        }
        guard text.utf8.count <= Self.longestLine else { throw refuse("longer than \(Self.longestLine) bytes") }
        var rest = text
        if rest.hasPrefix("a=") { rest = rest.dropFirst(2) }
        guard rest.hasPrefix("candidate:") else { throw refuse("does not begin with \"candidate:\"") }
        guard rest.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw refuse("not printable ASCII") }
        let fields = rest.dropFirst("candidate:".count).split(separator: " ")
        guard fields.count >= 8 else { throw refuse("fewer than eight fields") }
        guard (1...32).contains(fields[0].utf8.count) else { throw refuse("the foundation has 1 to 32 characters") }
        guard let component = Int(fields[1]), (1...256).contains(component) else { throw refuse("component") }
        guard let transport = Transport(rawValue: fields[2].lowercased()) else { throw refuse("transport") }
        guard let priority = UInt32(fields[3]) else { throw refuse("priority") }
        guard fields[4].utf8.count <= 255 else { throw refuse("address") }
        guard let port = UInt16(fields[5]) else { throw refuse("port") }
        guard fields[6] == "typ", let kind = Kind(rawValue: String(fields[7])) else { throw refuse("type") }
        self.foundation = String(fields[0])
        self.component = component
        self.transport = transport
        self.priority = priority
        self.address = String(fields[4])
        self.port = port
        self.kind = kind
        extensions = []
        try readPairs(fields.dropFirst(8), refuse)
    }

    private mutating func readPairs(
        _ fields: ArraySlice<Substring>,
        _ refuse: (String) -> PeerConnectionError
    ) throws(PeerConnectionError) {
        var fields = fields
        while let name = fields.popFirst() {
            guard let value = fields.popFirst() else { throw refuse("a name without a value at the end") }
            switch name {
            case "raddr" where relatedAddress == nil && extensions.isEmpty: relatedAddress = String(value)
            case "rport" where relatedPort == nil && extensions.isEmpty:
                guard let port = UInt16(value) else { throw refuse("rport") }
                relatedPort = port
            default: extensions.append(Extension(name: String(name), value: String(value)))
            }
        }
    }
}
