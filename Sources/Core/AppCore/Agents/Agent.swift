/// An agent or a language model that the person has added, to talk to.
package struct Agent: Sendable, Hashable, Identifiable {
    package let id: AgentID
    /// What the person calls it. No two agents have the same name.
    package internal(set) var name: String
    package internal(set) var place: Place
    package let addedAt: Timestamp
    /// The members of the circle who may use it, in the order in which that was said.
    package internal(set) var shares: [AgentShare] = []

    /// Where it is found.
    package enum Place: Sendable, Hashable, Codable {
        /// A program that speaks the Agent Client Protocol: its path or its name in `PATH`, then its arguments.
        /// With a sandbox it is confined to the folder in which it works. Its variables, with keys perhaps, are a secret of the host's.
        case program(command: [String], sandbox: AgentSandbox? = nil, variables: SecretRef? = nil)
        /// A server of the chat completions API. Without a model it is the first one that the server lists. The key is a secret of the host's.
        case modelServer(url: String, model: String?, key: SecretRef?)
        /// An agent behind a jcode gateway, which knows this device by a token: a secret of the host's. With a fingerprint the gateway must have that
        /// key (SHA-256, 64 hexadecimal digits).
        case gateway(url: String, fingerprint: String?, token: SecretRef)
        /// An agent of somebody in the circle, reached over the link of the room. `share` is the owner's name for it.
        case member(room: RoomID, share: AgentShareID, readOnly: Bool)
    }
}

/// What a program that is an agent gets besides its folder, if it is confined.
package struct AgentSandbox: Sendable, Hashable, Codable {
    /// Whether it reaches the network of this machine.
    package var network: Bool
    /// Files and folders that it may read beside the system's: paths from the root.
    package var readable: [String]
    /// Whether it cannot change its folder either; `nil` for no.
    package var readOnly: Bool?

    package init(network: Bool, readable: [String] = [], readOnly: Bool? = nil) {
        (self.network, self.readable, self.readOnly) = (network, readable, readOnly)
    }
}

/// An agent, by this device.
package typealias AgentID = Identifier<Agent>

extension Agent {
    /// Whether a session with it needs a folder: of this machine, or of the gateway's.
    var worksInFolder: Bool {
        switch place {
        case .program, .gateway: true
        case .modelServer, .member: false
        }
    }

    /// The key or token that it is asked with, or the variables that it is started with; `nil` if there are none.
    package var secret: SecretRef? {
        switch place {
        case .program(_, _, let variables): variables
        case .member: nil
        case .modelServer(_, _, let key): key
        case .gateway(_, _, let token): token
        }
    }
}

extension Agent: Codable {
    private enum Key: CodingKey { case id, name, addedAt, shares }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(AgentID.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        addedAt = try container.decode(Timestamp.self, forKey: .addedAt)
        shares = try container.decodeIfPresent([AgentShare].self, forKey: .shares) ?? []
        let tagged = try TaggedDecoder(decoder)
        guard let place = try tagged.decodeIfKnown(Place.self) else { throw tagged.unknown() }
        self.place = place
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(addedAt, forKey: .addedAt)
        if !shares.isEmpty { try container.encode(shares, forKey: .shares) }
        try place.encode(to: TaggedEncoder(encoder))
    }
}
