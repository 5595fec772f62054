import AppCore

/// What the world knows about rooms: what the server knows, and what the person on the other side does.
struct RoomsWorld: Sendable {
    private var rooms: [RoomID: WorldRoom] = [:]
    /// In the order in which they came to be.
    private(set) var order: [RoomID] = []
    /// Files that this side is receiving, and the effect that waits for the end.
    var incoming: [MessageID: EffectID] = [:]
    /// Numbers for whatever the world makes.
    private var made = 0

    subscript(id: RoomID) -> WorldRoom? { rooms[id] }

    /// Changes a room; one that is not known yet is added.
    mutating func update(_ id: RoomID, _ change: (inout WorldRoom) -> Void) {
        if rooms[id] == nil { order.append(id) }
        change(&rooms[id, default: WorldRoom()])
    }

    mutating func remove(_ id: RoomID) {
        rooms[id] = nil
        order.removeAll { $0 == id }
    }

    mutating func number() -> Int {
        made += 1
        return made
    }

    /// The room whose link this effect holds.
    func room(ofLink effect: EffectID) -> RoomID? { order.first { rooms[$0]?.link == effect } }

    /// Links and watches end with the process; the server keeps its rooms.
    mutating func processEnded() {
        incoming = [:]
        for id in order {
            update(id) {
                $0.watch = nil
                $0.linkEnded()
                $0.held = []
            }
        }
    }
}

/// One room, as everybody else sees it.
struct WorldRoom: Sendable {
    var serverRoom: ServerRoomID?
    var expiresAt: Timestamp?
    /// The words that belong to the code, where the other person made it.
    var expectedWords: String?
    /// Whether the other person's machine is there.
    var isPeerHere = false
    /// Whether the other side said goodbye for good.
    var isOver = false
    /// The watch for the other person's arrival.
    var watch: EffectID?
    /// The link, and how it stands.
    var link: EffectID?
    var words: SecretRef?
    /// Whether the machines prove who they are without the words by now.
    var isRemembered = false
    private(set) var state = LinkState.closed
    private(set) var verification = Verification.none
    /// Messages that wait for the link, oldest first.
    var held: [Effect] = []
    /// The number of the peer's last message.
    var sequence: UInt64 = 0
    /// The files that the peer offered.
    var offers: [MessageID: FileOffer] = [:]
    /// Files of this side that the peer has not answered.
    var asked: [MessageID: FileOffer] = [:]
    /// This side's messages that the peer has not seen.
    var unseen: [MessageID] = []
    /// This side's proposal of a lifetime that the peer has not answered.
    var proposal: MessageID?

    /// Whether the link is beyond looking for the other side.
    var hasReported: Bool { [.waitingForPeer, .verifying, .connected, .reconnecting].contains(state) }

    var isConnected: Bool { state == .connected && (verification == .verified || verification == .unverified) }

    mutating func linkBegins(_ effect: EffectID, words: SecretRef?) {
        link = effect
        self.words = words
        state = .connecting
        verification = .none
    }

    mutating func linkChanged(_ state: LinkState) {
        self.state = state
        switch state {
        case .closed, .connecting, .waitingForPeer: verification = .none
        case .verifying, .connected: isPeerHere = true
        case .reconnecting: break
        }
    }

    mutating func verificationChanged(_ outcome: Verification) { verification = outcome }

    mutating func linkEnded() {
        link = nil
        state = .closed
        verification = .none
    }
}
