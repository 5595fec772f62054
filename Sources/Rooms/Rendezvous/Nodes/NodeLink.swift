internal import Cryptography
internal import Dispatch
internal import Platform
internal import Redis
internal import Synchronization

/// Connects this node to the others: says in Redis who sits here, and passes on messages by publish and subscribe.
///
/// Work is done one piece after another on one queue; a thread of its own listens. If Redis was away, messages may be
/// lost in both directions. Then the node says anew who sits here, and the people concerned set up their connection
/// again.
final class NodeLink: Sendable {
    private enum Job {
        case request(SignalingRouter.NodeRequest)
        /// To one node, or to all.
        case tell(String?, NodeMessage)
        case beat(remote: Set<String>)

        /// Whether it carries what clients say, which may be long.
        var isMessage: Bool {
            switch self {
            case .request(.relay), .tell: true
            case .request, .beat: false
            }
        }
    }

    private struct State {
        var jobs: [Job] = []
        /// How many of them are messages.
        var messages = 0
        var isWorking = false
        var isHearing = false
        /// Something was lost. So it is before the first connection.
        var hasLost = true
        var hasStopped = false
        var seen: [String: SeenNumbers] = [:]
    }

    /// The most messages that may wait.
    static let waitingLimit = 10_000
    /// How long the place of a socket is kept if nobody takes it away, in milliseconds.
    static let seatLifetime = 30 * 86_400_000

    let id: String
    private let address: RedisAddress
    private let namespace: String
    private let timing: NodeTiming
    private let key: SecretBytes
    private let deliver: @Sendable (Event) -> Void
    /// The most pieces of other work that may wait. Saying anew who sits here must fit, or it would begin again and
    /// again.
    private let workLimit: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "alcove.rendezvous.nodes")
    private let worker: Mutex<Worker>

    /// - Parameter sockets: the most that this node may have.
    init(id: String, _ shared: SharedStore, sockets: Int, deliver: @escaping @Sendable (Event) -> Void) {
        self.id = id
        workLimit = Self.waitingLimit + 2 * sockets
        address = shared.address
        namespace = shared.namespace
        timing = shared.timing
        key = shared.key(for: "messages")
        self.deliver = deliver
        worker = Mutex(Worker(client: RedisClient(shared.address, timeout: shared.timing.answer)))
    }

    // Subscriptions do not belong to a database, so the channels name it.
    private func channel(_ node: String) -> String { "\(namespace)\(address.database):to:\(node)" }
    private var everybody: String { "\(namespace)\(address.database):all" }

    func start() {
        // Before anybody is seated here: the seats of a node without a sign of life are free.
        beat(remote: [])
        _ = PlatformThread.start(name: "nodes") { [self] in listen() }
    }

    /// Does what waits, and says goodbye.
    func stop() async {
        await withCheckedContinuation { done in queue.async { done.resume() } }
        state.withLock { $0.hasStopped = true }
        worker.withLock { _ = try? $0.client.command(RedisCommand("DEL", "\(namespace)node:\(id)")) }
    }

    func perform(_ request: SignalingRouter.NodeRequest) { add(.request(request)) }

    func broadcast(_ message: NodeMessage) { add(.tell(nil, message)) }

    func tell(_ node: String, _ message: NodeMessage) { if node != id { add(.tell(node, message)) } }

    /// A sign of life, once a second. `remote` are the nodes at which somebody sits opposite one of ours.
    func beat(remote: Set<String>) { add(.beat(remote: remote)) }

    // MARK: Work

    private func add(_ job: Job) {
        let isFirst = state.withLock { state in
            guard !state.hasStopped else { return false }
            let hasRoom =
                job.isMessage
                ? state.messages < Self.waitingLimit : state.jobs.count - state.messages < workLimit
            guard hasRoom else {
                state.hasLost = true
                return false
            }
            state.jobs.append(job)
            if job.isMessage { state.messages += 1 }
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if isFirst { queue.async { [self] in work() } }
    }

    private func work() {
        while true {
            let jobs = state.withLock { state in
                defer { (state.jobs, state.messages) = ([], 0) }
                if state.jobs.isEmpty { state.isWorking = false }
                return state.jobs
            }
            if jobs.isEmpty { return }
            let events = worker.withLock { worker in
                do {
                    return try perform(jobs, &worker)
                } catch {
                    // Whatever else was to be done counts as lost, too.
                    state.withLock { $0.hasLost = true }
                    worker.wasAlive = false
                    return []
                }
            }
            for event in events { deliver(event) }
        }
    }

    /// Messages are sent together; before a script, those that wait are sent, so that the order stays.
    private func perform(_ jobs: [Job], _ worker: inout Worker) throws -> [Event] {
        var messages: [RedisCommand] = []
        var events: [Event] = []
        func flush() throws {
            guard !messages.isEmpty else { return }
            defer { messages = [] }
            for case .failure(let error) in try worker.client.pipeline(messages) { throw error }
        }
        for job in jobs {
            try worker.giveSign(of: "\(namespace)node:\(id)", every: timing.life / 4, life: timing.life)
            switch job {
            case .tell(let node, let message):
                messages.append(publish(message, node.map(channel) ?? everybody, &worker))
            case .request(.relay(let peer, let room, let name, let text)):
                let message = NodeMessage.relayed(room: room, to: peer.name, peer: name, text: text)
                messages.append(publish(message, channel(peer.node), &worker))
            case .request(.deny(let peer, let room, let name)):
                messages.append(publish(.gone(room: room, peer: name, .disconnected), channel(peer.node), &worker))
            case .request(.seated(let seat, let name, let isAgain)):
                try flush()
                let (before, other, isTaken) = try run(
                    NodeScripts.seat, seat, name, worker.client, isAgain: isAgain)
                if isTaken {
                    // The device came to another node while this one was cut off: the socket here is the older one.
                    deliver(.message(.replaced(room: seat.room, name: name), from: id))
                    continue
                }
                if let before, before.node != id {
                    messages.append(
                        publish(.replaced(room: seat.room, name: before.name), channel(before.node), &worker))
                }
                if let other, other.node != id {
                    // Before the other node knows, so that what comes from there finds this node prepared.
                    deliver(.opposite(room: seat.room, name: name, other))
                    let news = NodeMessage.arrived(room: seat.room, name: other.name, peer: name, isAgain: isAgain)
                    messages.append(publish(news, channel(other.node), &worker))
                }
            case .request(.vacated(let seat, let name, let how)):
                try flush()
                if let other = try run(NodeScripts.leave, seat, name, worker.client).other, other.node != id {
                    messages.append(publish(.gone(room: seat.room, peer: name, how), channel(other.node), &worker))
                }
            case .beat(let remote):
                try flush()
                events += try beat(remote, &worker)
            }
        }
        try flush()
        return events
    }

    private func publish(_ message: NodeMessage, _ channel: String, _ worker: inout Worker) -> RedisCommand {
        worker.number += 1
        let sealed = NodeEnvelope.seal(message, from: id, number: worker.number, channel: channel, key: key)
        return RedisCommand([Array("PUBLISH".utf8), Array(channel.utf8), sealed])
    }

    private func run(
        _ script: RedisScript, _ seat: SignalingRouter.Seat, _ name: String, _ client: RedisClient,
        isAgain: Bool = false
    ) throws -> (before: RemotePeer?, other: RemotePeer?, isTaken: Bool) {
        let side = seat.side == .creator ? "creator" : "guest"
        let arguments = [
            id, seat.room, side, name, String(Self.seatLifetime), isAgain ? "again" : "new",
        ].map { Array($0.utf8) }
        let found = try client.run(script, keys: [namespace], arguments).array ?? []
        let peers = found.map { value -> RemotePeer? in
            let words = (value.text ?? "").split(separator: " ")
            return words.count == 2 ? RemotePeer(node: String(words[0]), name: String(words[1])) : nil
        }
        guard peers.count >= 2 else { throw RedisError(.refused, "Redis gave an answer of another form") }
        return (peers[0], peers[1], found.count == 3)
    }

    private func beat(_ remote: Set<String>, _ worker: inout Worker) throws -> [Event] {
        let nodes = remote.sorted()
        let sign = RedisCommand("SET", "\(namespace)node:\(id)", "1", "PX", String(timing.life.milliseconds), "GET")
        // An empty message, which only this node hears: so it notices when the subscription is dead.
        let echo = RedisCommand("PUBLISH", channel(id), "")
        let answers = try worker.client.pipeline(
            [sign, echo] + nodes.map { RedisCommand("EXISTS", "\(namespace)node:\($0)") })
        for case .failure(let error) in answers { throw error }
        // Redis forgot this node, so others may have taken it for dead.
        let wasForgotten = worker.wasAlive && answers.first == .nothing
        worker.wasAlive = true
        worker.lastSign = .now
        let dead = zip(nodes, answers.dropFirst(2)).filter { $0.1 == .integer(0) }.map(\.0)
        let isResync = state.withLock { state in
            guard state.isHearing, state.hasLost || wasForgotten else { return false }
            state.hasLost = false
            return true
        }
        return (dead.isEmpty ? [] : [.died(Set(dead))]) + (isResync ? [.resync] : [])
    }

    // MARK: Listening

    private func listen() {
        var wait = Duration.zero
        while !hasStopped {
            do throws(RedisError) {
                let connection = try RedisConnection(address, timeout: timing.answer)
                try connection.subscribe(to: [channel(id), everybody])
                wait = .zero
                state.withLock { state in
                    state.isHearing = true
                    state.hasLost = true
                }
                beat(remote: [])
                try hear(connection)
            } catch {
                state.withLock { $0.isHearing = false }
                wait = min(max(wait * 2, .milliseconds(50)), .seconds(1))
                Self.sleep(wait * Double.random(in: 0.5...1))
            }
        }
    }

    private func hear(_ connection: RedisConnection) throws(RedisError) {
        var last = ContinuousClock.now
        while !hasStopped {
            if let value = try connection.receive(within: .milliseconds(500)) {
                last = .now
                if let parts = value.array, parts.count == 3, let channel = parts[1].text, let body = parts[2].bytes,
                    !body.isEmpty
                {
                    hear(body, channel)
                }
            } else if ContinuousClock.now - last > timing.life {
                throw RedisError(.lost, "the subscription is silent")
            }
        }
    }

    /// What has no right proof, was heard before, or comes from this node itself is dropped.
    private func hear(_ body: [UInt8], _ channel: String) {
        guard let (node, number, message) = NodeEnvelope.open(body, channel: channel, key: key), node != id,
            state.withLock({ $0.seen[channel, default: SeenNumbers()].take(number, from: node) })
        else { return }
        deliver(.message(message, from: node))
    }

    /// Whether the other nodes hear this one and it hears them.
    var isConnected: Bool { state.withLock { $0.isHearing && !$0.hasLost } }

    private var hasStopped: Bool { state.withLock { $0.hasStopped } }

    private static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
