internal import Networking
internal import Wire

/// Who is connected, who is in which room, and which messages go to whom.
///
/// A value without I/O: events of sockets go in, and actions come out. A join or a watch needs the store, so it comes
/// out as a question; until the answer, further messages of that socket wait.
struct SignalingRouter {
    typealias SocketID = UInt64

    enum Output: Equatable {
        case send(SocketID, String)
        /// Tells the client what is wrong with its message.
        case refuse(SocketID, SignalingError)
        case close(SocketID, SignalingClose)
        case ask(SocketID, SignalingQuestion)
        case count(SignalingEvent)
        /// Hands out the STUN and TURN servers.
        case offerServers(SocketID)
        /// For the link to other nodes, if there are any.
        case node(NodeRequest)
    }

    struct Seat: Equatable {
        let room: String
        let side: Side
    }

    struct Client {
        /// The name of this socket for other clients.
        let name: String
        var seat: Seat?
        var watches: Set<String> = []
        var question: SignalingQuestion?
        /// Messages that wait for the answer to the question.
        var backlog: [String] = []
        /// The server has finished with this socket; further messages are ignored.
        var isClosing = false
        var bucket: TokenBucket
    }

    /// The sockets in a room, one for each seat.
    struct LiveRoom: Equatable {
        var creator: SocketID?
        var guest: SocketID?
        /// Who sits at another node, opposite the only socket here.
        var remote: RemotePeer?

        subscript(side: Side) -> SocketID? {
            get { side == .creator ? creator : guest }
            set { if side == .creator { creator = newValue } else { guest = newValue } }
        }

        var userCount: Int { (creator == nil ? 0 : 1) + (guest == nil ? 0 : 1) }
    }

    struct Watch: Equatable {
        var sockets: Set<SocketID>
        var expiresAt: Timestamp
    }

    /// The most messages, and bytes of them, that may wait for an answer of the store.
    static let backlogLimit = 64
    static let backlogSize = 256 * 1024

    let limits: RendezvousLimits
    /// Whether who enters a room gets STUN and TURN servers.
    let offersServers: Bool
    var clients: [SocketID: Client] = [:]
    var rooms: [String: LiveRoom] = [:]
    var watches: [String: Watch] = [:]

    init(limits: RendezvousLimits, offersServers: Bool = false) {
        self.limits = limits
        self.offersServers = offersServers
    }

    /// A socket is open. `name` is a fresh UUID.
    mutating func opened(_ socket: SocketID, name: String, now: Timestamp) -> [Output] {
        clients[socket] = Client(name: name, bucket: TokenBucket(limits.messages, now: now))
        return [.send(socket, SignalingText.connected(name))]
    }

    /// A message has arrived.
    mutating func received(_ text: String, from socket: SocketID, now: Timestamp) -> [Output] {
        guard clients[socket]?.isClosing == false else { return [] }
        if clients[socket]?.bucket.take(limits.messages, now: now) != nil { return close(socket, .tooManyMessages) }
        if let client = clients[socket], client.question != nil {
            let size = client.backlog.reduce(text.utf8.count) { $0 + $1.utf8.count }
            guard client.backlog.count < Self.backlogLimit, size <= Self.backlogSize else {
                return close(socket, .tooManyMessages)
            }
            clients[socket]?.backlog.append(text)
            return []
        }
        return handle(text, from: socket)
    }

    /// The store has answered a question.
    mutating func answered(_ answer: SignalingAnswer, to socket: SocketID) -> [Output] {
        guard let question = clients[socket]?.question else { return [] }
        clients[socket]?.question = nil
        var outputs: [Output]
        switch (question, answer) {
        case (.join(let room, let proof), .join(let admission)):
            outputs = join(room, admission, socket, knowsTickets: proof.hasTicket)
        case (.watch(let code, _), .watch(let check)): outputs = watch(code, check, socket)
        case (_, .tooManyAttempts): outputs = [.refuse(socket, .tooManyAttempts)]
        default: outputs = close(socket, .storeFailed)
        }
        while let client = clients[socket], client.question == nil, !client.isClosing, !client.backlog.isEmpty {
            let text = clients[socket]?.backlog.removeFirst() ?? ""
            outputs += handle(text, from: socket)
        }
        return outputs
    }

    /// A socket was closed, by either side.
    mutating func closed(_ socket: SocketID) -> [Output] {
        guard let client = clients.removeValue(forKey: socket) else { return [] }
        for code in client.watches { unwatch(code, socket) }
        return client.seat.map { vacate($0, client.name, .disconnected) } ?? []
    }

    mutating func close(_ socket: SocketID, _ reason: SignalingClose) -> [Output] {
        clients[socket]?.isClosing = true
        return [.close(socket, reason), .count(.closed(reason))]
    }

    // MARK: Messages

    private mutating func handle(_ text: String, from socket: SocketID) -> [Output] {
        let message: SignalingMessage
        do throws(SignalingError) {
            message = try SignalingMessage(text)
        } catch {
            return [.refuse(socket, error)]
        }
        switch message {
        case .ask(let question): return ask(question, socket)
        case .leaveRoom: return leave(socket)
        case .relay(let type, let fields): return relay(type, fields, from: socket)
        case .pingPeer:
            guard clients[socket]?.seat != nil else { return [.refuse(socket, .notInRoom)] }
            return [.send(socket, SignalingText.pingSent)]
        case .ping: return [.send(socket, SignalingText.pong)]
        case .iceServers:
            guard clients[socket]?.seat != nil else { return [.refuse(socket, .notInRoom)] }
            return [.offerServers(socket)]
        }
    }

    private mutating func ask(_ question: SignalingQuestion, _ socket: SocketID) -> [Output] {
        if case .watch(let code, _) = question, let client = clients[socket], !client.watches.contains(code),
            client.watches.count >= limits.watchesBySocket
        {
            return [.refuse(socket, .tooManyWatches)]
        }
        clients[socket]?.question = question
        return [.ask(socket, question)]
    }

    private func relay(_ type: String, _ fields: [JSONObject.Member], from socket: SocketID) -> [Output] {
        guard let client = clients[socket], let seat = client.seat else { return [.refuse(socket, .notSignaling)] }
        let peer = rooms[seat.room]?[seat.side.other]
        let remote = rooms[seat.room]?.remote
        guard peer != nil || remote != nil else { return [.refuse(socket, .alone)] }
        var message: JSONObject = ["type": .string(type), "from": .string(client.name), "roomId": .string(seat.room)]
        for field in fields { message.append(field.name, field.value) }
        let text = JSONValue.object(message).text
        if let peer { return [.send(peer, text), .count(.relayed)] }
        return (remote.map { [.node(.relay($0, room: seat.room, from: client.name, text: text))] } ?? []) + [
            .count(.relayed)
        ]
    }
}
