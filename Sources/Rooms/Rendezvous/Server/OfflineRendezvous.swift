internal import Cryptography
internal import Networking
internal import Storage

/// The server's decisions without network, clock and threads, one at a time, for fuzzers and simulations.
package struct OfflineRendezvous {
    private let store: SQLiteRoomStore
    private let mint = TicketMint(key: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
    private let limits = RendezvousLimits.unlimited
    private var router: SignalingRouter
    private var rooms = 0
    private var inboxes: [UInt64: [String]] = [:]

    /// Milliseconds since 1970; changes only when set.
    package var now: Int64 = 0

    package init() throws {
        store = try SQLiteRoomStore()
        router = SignalingRouter(limits: limits)
    }

    /// Forgets everything; faster than making a new one.
    package mutating func reset() throws {
        try store.database.executeScript("DELETE FROM rooms; DELETE FROM pendings")
        try store.count()
        router = SignalingRouter(limits: limits)
        (rooms, now, inboxes) = (0, 0, [:])
    }

    /// Answers a REST request.
    package mutating func request(_ method: String, _ path: String, body: [UInt8]) -> (status: Int, body: [UInt8]) {
        let request = HTTPRequest(method: method, path: path, body: body)
        rooms += 1
        let nonce = Array("\(rooms)".utf8)
        let context = DecisionContext(mint: mint, limits: limits, now: now, newRoom: "room \(rooms)", nonce: nonce)
        do {
            guard let call = try RESTCall(Route(method: method, path: path), request) else { return (404, []) }
            let decision = try call.decide(store, context)
            switch decision.news {
            case .accepted(let code, let room, _): perform(router.accepted(code, room: room))
            case .removed(let removed): perform(router.removed(removed, reason: "deleted"))
            case nil: break
            }
            return (decision.response.status, decision.response.body)
        } catch {
            let response = (error as? RESTError)?.response ?? HTTPResponse(status: 500)
            return (response.status, response.body)
        }
    }

    package mutating func open(_ socket: UInt64) {
        perform(router.opened(socket, name: "client \(socket)", now: now))
    }

    package mutating func receive(_ text: String, from socket: UInt64) {
        perform(router.received(text, from: socket, now: now))
    }

    package mutating func close(_ socket: UInt64) { perform(router.closed(socket)) }

    /// The messages that were sent to this socket since the last call.
    package mutating func messages(to socket: UInt64) -> [String] { inboxes.removeValue(forKey: socket) ?? [] }

    private mutating func perform(_ outputs: [SignalingRouter.Output]) {
        for output in outputs {
            switch output {
            case .send(let socket, let text): inboxes[socket, default: []].append(text)
            case .refuse(let socket, let error): inboxes[socket, default: []].append(SignalingText.error(error))
            case .close(let socket, _): perform(router.closed(socket))
            case .ask(let socket, let question):
                let answer = try? store.answer(question, now: now)
                perform(router.answered(answer ?? .failed, to: socket))
            case .count, .node, .offerServers: break
            }
        }
    }
}
