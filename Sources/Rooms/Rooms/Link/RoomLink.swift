import DataChannels
import Networking
import Sealing

/// Runs one room's link: passes events to the machine and carries out its actions.
///
/// Everything that happens (socket, peer connection, channels, timers, requests) comes through one stream of events, so
/// the link handles one thing at a time and in order.
actor RoomLink {
    /// The dependencies of the link.
    struct Setting: Sendable {
        var address: RoomAddress
        /// The number in the link's reports, which distinguishes them from those of another link of the room.
        var number: UInt64
        var words: Task<JoinWords?, Never>
        var network: RoomsNetwork
        /// The person's own; if there are none, those that the server offers are used.
        var iceServers: [ICEServer]
        var keyStore: any RoomKeyStore
        var conversation: Conversation
        var report: RoomReports

        /// Where only relays may be used, STUN servers of one's own leave no path: then they count as none.
        var usesOfferedServers: Bool {
            let addresses = iceServers.lazy.flatMap(\.urls)
            return iceServers.isEmpty
                || network.relayOnly && !addresses.contains { $0.lowercased().hasPrefix("turn:") }
        }
    }

    enum Event: Sendable {
        case link(LinkMachine.Input)
        /// From the socket or peer connection of that number; late events of older ones do not count.
        case socket(Int, SocketEvent)
        case peer(Int, PeerEvent)
        /// The words are ready to be proven; nil if they cannot be words.
        case wordsReady(JoinWords?)
        /// The people compared the safety number.
        case compared(matches: Bool)
        case close(Farewell)
    }

    enum SocketEvent: Sendable {
        case opened(WebSocketConnection)
        case text(String)
        /// It could not be opened; ``closed`` follows.
        case failed(RoomsFailure)
        case closed(hasMoved: Bool)
    }

    enum PeerEvent: Sendable {
        case connection(PeerConnectionEvent)
        case opened(Channel)
        case message(Channel, DataChannelMessage, PeerBacklog)
        case drained(Channel)
        case closed(Channel)
    }

    /// The channels of a link. Both sides know their numbers, so neither has to announce them (RFC 8832 section 4).
    enum Channel: UInt16, Sendable, CaseIterable {
        case messages = 0
        /// Bytes of files, on their own channel, so that a long file does not delay messages.
        case files = 1
        /// Updates of shared notes, on their own channel for the same reason.
        case notes = 2
        /// What agents of one side say to the other, on a channel of their own for the same reason.
        case agents = 3

        var label: String {
            switch self {
            case .messages: "messages"
            case .files: "files"
            case .notes: "notes"
            case .agents: "agents"
            }
        }

        /// What people wait for comes first.
        var priority: DataChannelConfiguration.Priority {
            switch self {
            case .messages: .high
            case .notes, .agents: .medium
            case .files: .low
            }
        }
    }

    let setting: Setting
    var machine: LinkMachine
    var keys: RoomKeys
    /// The keys as stored on disk.
    var savedKeys: RoomKeys
    let certificate: Certificate
    let serverRoom: String
    /// The words in the form that the verification needs; nil while they are being prepared.
    var words: JoinWords?
    private let preparation: Task<JoinWords?, Never>
    let events: AsyncStream<Event>
    let happen: AsyncStream<Event>.Continuation

    /// What the server handed out last.
    var offeredServers: [ICEServer] = []
    var iceServers: [ICEServer] { setting.usesOfferedServers ? offeredServers : setting.iceServers }
    var socketNumber = 0
    var socket: WebSocketConnection?
    var socketTask: Task<Void, Never>?
    var peerNumber = 0
    var peer: PeerConnection?
    var peerTask: Task<Void, Never>?
    var channels: [Channel: DataChannel] = [:]
    /// The kinds of paths that this side found for the current peer connection.
    var candidateKinds: Set<ICECandidate.Kind> = []
    var timers: [LinkMachine.Timer: Task<Void, Never>] = [:]
    var verification: RoomVerification?
    /// The verification of the previous peer connection, whose verdict may come after the end of the connection.
    var lastVerification: RoomVerification?
    /// Whether a verification starts when the words are ready, and the messages for it so far.
    var isVerificationWanted = false
    var earlyVerification: [[UInt8]] = []
    /// Messages that came before the link was ready: a hello and an introduction (the other side may be ready a moment
    /// earlier).
    var early: [[UInt8]] = []
    var state = LinkState.closed
    private var runner: Task<Void, Never>?
    var peerClosing: Task<Void, Never>?
    /// The search for the reason why there is no path to the other side.
    var explanation: Task<Void, Never>?
    /// Set once its owner has closed it; later events do not count.
    private var isOver = false

    /// The most messages that may come before the link is ready.
    static let earlyLimit = 16

    init(_ setting: Setting, keys: RoomKeys) throws {
        guard let serverRoom = setting.address.serverRoom else { throw RoomsFailure(.roomGone) }
        self.setting = setting
        self.keys = keys
        savedKeys = keys
        self.serverRoom = serverRoom
        self.certificate = try keys.certificate.opened()
        preparation = setting.words
        self.machine = LinkMachine(
            identity: .init(
                room: serverRoom,
                device: setting.address.device,
                ticket: keys.ticket,
                role: setting.address.role,
                isMeeting: keys.meeting?.met?.serverRoom == serverRoom
            ),
            seed: UInt64.random(in: .min ... .max)
        )
        (events, happen) = AsyncStream.makeStream()
    }

    /// The words of the join code in the form that the verification needs; without words if there are none.
    struct JoinWords: Sendable {
        var words: JoinKey?
    }

    /// Prepares words; nil if they cannot be words.
    static func prepare(digits: String?, words: String?) -> Task<JoinWords?, Never> {
        guard let digits, let words else { return Task { JoinWords(words: nil) } }
        return Task.detached {
            guard let code = try? JoinCode(digits: digits, words: words), let key = try? JoinKey(code) else {
                return nil
            }
            return JoinWords(words: key)
        }
    }

    /// Opens the link and keeps it until ``close()``.
    func open() {
        guard runner == nil, !isOver else { return }
        runner = Task { [events] in
            for await event in events { await self.handle(event) }
        }
        // It takes a tenth of a second on purpose. Meanwhile the link reaches the server and the peer.
        Task { [happen, preparation] in happen.yield(.wordsReady(await preparation.value)) }
        happen.yield(.link(.start))
    }

    /// Closes the link: the peer connection first, then the room on the server, then the socket. Nothing more is
    /// reported, because the caller knows that the link is closed.
    func close(_ farewell: Farewell) async {
        isOver = true
        explanation?.cancel()
        happen.yield(.close(farewell))
        happen.finish()
        await runner?.value
        await peerClosing?.value
    }

    /// The result of comparing the safety number.
    nonisolated func tell(comparison matches: Bool) { happen.yield(.compared(matches: matches)) }

    func report(_ report: RoomReport) {
        if !isOver { setting.report.yield(report) }
    }

    /// Cuts all connections at once without a goodbye, as if the network had failed. The link recovers.
    package func sever() async {
        if let peer { Task { await peer.close() } }
        socket?.abort()
    }

    private func handle(_ event: Event) async {
        if case .peer(_, .message(_, let message, let backlog)) = event { backlog.took(message) }
        switch event {
        case .close(let farewell): await stop(farewell)
        case .compared(let matches): await compared(matches: matches)
        case _ where isOver: break
        case .link(let input): await feed(input)
        case .socket(let number, let event):
            if number == socketNumber { await handle(event) }
        case .peer(let number, let event):
            if number == peerNumber { await handle(event) }
        case .wordsReady(let ready): await prepared(ready)
        }
    }

    /// Not inlined, like the functions that it calls: each suspends and has many callers.
    @inline(never)
    func feed(_ input: LinkMachine.Input) async {
        await perform(machine.handle(input))
    }

    private func perform(_ commands: [LinkMachine.Command]) async {
        for command in commands { await perform(command) }
    }

    @inline(never)
    private func perform(_ command: LinkMachine.Command) async {
        switch command {
        case .openSocket: openSocket()
        case .closeSocket: closeSocket()
        case .send(let request): send(request)
        case .makePeer: makePeer()
        case .makeOffer(let iceRestart): await makeOffer(iceRestart: iceRestart)
        case .acceptOffer(let sdp): await acceptOffer(sdp)
        case .acceptAnswer(let sdp): await acceptAnswer(sdp)
        case .addCandidate(let candidate): await addCandidate(candidate)
        case .offered(let offered): await use(offered)
        case .noPath: explainNoPath()
        case .dropPeer: dropPeer()
        case .startVerification: await startVerification()
        case .verification(let message): await verify(message)
        case .set(let timer, let duration): set(timer, duration)
        case .cancel(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .report(let state): await reached(state)
        case .giveUp(let failure): report(.linkFailed(room: setting.address.room, number: setting.number, failure))
        }
    }

    private func set(_ timer: LinkMachine.Timer, _ duration: Duration) {
        timers[timer]?.cancel()
        timers[timer] = Task { [happen] in
            guard (try? await Task.sleep(for: duration)) != nil else { return }
            happen.yield(.link(.timer(timer)))
        }
    }

    @inline(never)
    private func reached(_ state: LinkState) async {
        let before = self.state
        self.state = state
        // A side that is connected, or alone, has no missing path to explain.
        if [.waitingForPeer, .verifying, .connected].contains(state) { explanation?.cancel() }
        let path = state == .connected ? await peer?.statistics().path : nil
        report(.link(room: setting.address.room, number: setting.number, state, path: path))
        if state == .connected {
            guard let remote = peer?.remoteFingerprint else { return await feed(.peerFailed) }
            let binding = ChannelBinding(
                localFingerprint: certificate.fingerprint.bytes, remoteFingerprint: remote.bytes, room: serverRoom,
                role: setting.address.role == .initiator ? .creator : .joiner)
            let failure = await setting.conversation.connected(channels, binding: binding)
            if let failure { return await feed(.refuse(failure)) }
            let waiting = early
            early = []
            for bytes in waiting { await converse(bytes) }
        } else if before == .connected {
            await setting.conversation.disconnected()
        }
    }

    func received(_ message: DataChannelMessage, on channel: Channel) async {
        guard case .binary(let bytes) = message else { return }
        if channel == .notes {
            // They come only after a hello from here, so never before the link is ready.
            if state == .connected { await setting.conversation.received(note: bytes) }
        } else if channel == .agents {
            // Agents are for people who are known for certain.
            if state == .connected, keys.trust == .verified { await setting.conversation.received(agent: bytes) }
        } else if state == .connected {
            await converse(bytes)
        } else if early.count < Self.earlyLimit {
            early.append(bytes)
        }
    }

    @inline(never)
    private func converse(_ bytes: [UInt8]) async {
        guard let failure = await setting.conversation.received(bytes) else { return }
        await feed(.refuse(failure))
    }
}
