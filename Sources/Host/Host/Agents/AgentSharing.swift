import AgentProtocols
import Agents
import AppCore
import Rooms

/// Agents that go over the links to members of the circle: those of this machine that members use, and theirs that this person uses.
///
/// It carries frames, keeps logs, and decides nothing: what is shared and who may answer says the core.
actor AgentSharing {
    /// What is known of a room in which agents are shared, by either side.
    struct Place {
        /// What the core lets the member use over the present link; nil for nothing yet.
        var offers: [AgentOffer]?
        var isOpen = false
        /// Agents of the member's, by the session.
        var guests: [String: SharedAgent] = [:]
        /// Logs that the member follows over the present connection.
        var followed: Set<String> = []
        /// Wishes to follow that came before the offers.
        var early: [SharingFrame.Content] = []
        var parts = SharingParts()
        /// Pictures on their way to a prompt.
        var pictures = SharedPictures()
        /// Frames that cannot be read.
        var unreadable = Intake(burst: SharingLimits.unreadable, perSecond: 1)
        /// Prompts, answers, offers and other wishes.
        var wishes = Intake(burst: 100, perSecond: 10)
        /// Sessions that are followed, also again.
        var follows = Intake(burst: 1000, perSecond: 10)
        /// Counts how often the channel was opened or closed.
        var connection = 0
    }

    let profile: Profile
    let rooms: RoomsService
    /// What the core has to hear.
    nonisolated let events: AsyncStream<Event>
    let event: AsyncStream<Event>.Continuation
    var places: [String: Place] = [:]
    var journals: [Profile.SharedLogKey: (share: String, journal: SharedJournal)] = [:]
    /// The agents that run for members, by a number of their own.
    var running: [Profile.SharedLogKey: Int] = [:]
    private var nextNumber = 1
    private var isStopping = false
    var senders: [String: (frames: AsyncStream<SharingFrame.Content>.Continuation, task: Task<Void, Never>)] =
        [:]

    init(rooms: RoomsService, profile: Profile) {
        (self.rooms, self.profile) = (rooms, profile)
        (events, event) = AsyncStream.makeStream()
    }

    // MARK: What the core wants

    /// What the member may use from now on.
    func offer(_ offers: [AgentOffer]?, in room: String) {
        places[room, default: Place()].offers = offers
        guard let offers else { return endFollowing(room) }
        let shares = Set(offers.map(\.share.text))
        for session in places[room]?.followed ?? [] {
            let key = Profile.SharedLogKey(room: room, session: session)
            guard let known = journals[key], !shares.contains(known.share) else { continue }
            known.journal.unfollow()
            places[room]?.followed.remove(session)
        }
        tellOffers(room)
        let early = places[room]?.early ?? []
        places[room]?.early = []
        for frame in early { take(frame, room) }
    }

    func refuse(_ room: String, _ session: String, turn: Int?, request: Int?, _ reason: MemberRefusal) {
        let why = SharingFrame.Refusal(rawValue: reason.rawValue) ?? .gone
        if let turn { send(.promptRefused(session: session, turn: max(turn, 0), why), room) }
        if let request { send(.answerRefused(session: session, request: max(request, 0), why), room) }
    }

    func forget(share: String) throws {
        for (key, known) in journals where known.share == share {
            known.journal.discard()
            places[key.room]?.followed.remove(key.session)
            journals[key] = nil
        }
        try profile.forget(share: share)
    }

    /// An agent of this machine that works for a member: what it says is kept for them.
    /// - Parameter mayAllow: what the member can allow.
    func kept(
        _ agent: any AgentProvider, for guest: AgentGuest, mayAllow: @escaping @Sendable (AgentToolCall) -> Bool
    ) throws -> any AgentProvider {
        let key = Profile.SharedLogKey(room: guest.room.text, session: guest.session.text)
        let journal = try journal(key, for: guest.share.text)
        let number = nextNumber
        nextNumber += 1
        running[key] = number
        return JournaledAgent(agent, journal: journal, mayAllow: mayAllow) { [weak self] in
            Task { await self?.ended(key, number) }
        }
    }

    private func ended(_ key: Profile.SharedLogKey, _ number: Int) { if running[key] == number { running[key] = nil } }

    /// An agent of a member's, for a session of this person's.
    func agent(_ share: String, in room: String, for session: String, after position: Int) -> SharedAgent {
        SharedAgent(
            session: session, agent: share, heard: position, send: sender(room),
            asked: { [weak self] agent in Task { await self?.attach(agent, in: room) } },
            ended: { [weak self] in Task { await self?.detach(session, in: room) } })
    }

    private func attach(_ agent: SharedAgent, in room: String) {
        guard places[room]?.guests[agent.session] !== agent else { return }
        places[room, default: Place()].guests[agent.session] = agent
        if places[room]?.isOpen == true { agent.linked() } else { agent.unlinked() }
    }

    private func detach(_ session: String, in room: String) { places[room]?.guests[session] = nil }

    /// Forgets everything that was said: the profile is locked, or erased.
    func forgetAll() {
        for (_, known) in journals { known.journal.unfollow() }
        (journals, running) = ([:], [:])
        for room in places.keys {
            places[room]?.followed = []
            places[room]?.offers = nil
        }
    }

    /// The end: no event comes any more.
    func stop() async {
        isStopping = true
        for sender in senders.values { sender.frames.finish() }
        for sender in senders.values { await sender.task.value }
        event.finish()
    }

    // MARK: Sending

    func tellOffers(_ room: String) {
        guard let place = places[room], place.isOpen, let offers = place.offers else { return }
        let agents = offers.prefix(SharingLimits.offers).map { offer in
            SharedAgentOffer(
                id: offer.share.text, name: offer.name.limited(to: SharingLimits.nameBytes), isReadOnly: offer.readOnly)
        }
        send(.offers(agents), room)
    }

    func send(_ frame: SharingFrame.Content, _ room: String) { sender(room)(frame) }

    /// How long a frame waits until the full channel is asked again.
    private static let drain = Duration.milliseconds(20)

    /// The number of the open connection; `nil` if there is none.
    private func connection(_ room: String) -> Int? {
        guard !isStopping, let place = places[room], place.isOpen else { return nil }
        return place.connection
    }

    /// Sends a frame, once the channel has room for it. Only over this connection: the next one begins with what to follow.
    private nonisolated func deliver(_ frame: SharingFrame.Content, _ room: String) async {
        let messages = SharingParts.messages(of: SharingFrame(frame).bytes)
        let connection = await connection(room)
        while await !rooms.sendAgents(messages, in: room) {
            guard let connection, await self.connection(room) == connection else { return }
            try? await Task.sleep(for: Self.drain)
        }
    }

    /// Takes frames for a room at once, and sends them in order. Their number is bounded by what is asked, and by the window.
    func sender(_ room: String) -> @Sendable (SharingFrame.Content) -> Void {
        if let known = senders[room] { return { [frames = known.frames] in frames.yield($0) } }
        let (stream, frames) = AsyncStream<SharingFrame.Content>.makeStream()
        let task = Task { [weak self] in
            for await frame in stream { await self?.deliver(frame, room) }
        }
        senders[room] = (frames, task)
        return { frames.yield($0) }
    }

    // MARK: Logs

    /// The log of a session, for a share. It is made if it is new; the oldest that nobody needs gives way.
    func journal(_ key: Profile.SharedLogKey, for share: String) throws -> SharedJournal {
        if let known = journals[key] {
            guard known.share == share else { throw Failure(.agentRefused) }
            return known.journal
        }
        let kept = try profile.sharedLog(key)
        guard kept?.share ?? share == share else { throw Failure(.agentRefused) }
        if kept == nil { try makeRoom(in: key.room) }
        let place = SharedLogPlace(profile: profile, key: key, share: share)
        let journal = SharedJournal(session: key.session, log: kept?.log ?? SharedLog(), store: place)
        journals[key] = (share, journal)
        return journal
    }

    private func makeRoom(in room: String) throws {
        let here = Set(journals.keys.filter { $0.room == room }.map(\.session))
        let known = here.union(try profile.sharedLogs(of: room))
        guard known.count >= SharingLimits.sessions else { return }
        let followed = places[room]?.followed ?? []
        let free = known.sorted().first { session in
            !followed.contains(session) && running[Profile.SharedLogKey(room: room, session: session)] == nil
        }
        guard let free else { throw Failure(.agentBusy, retryable: true) }
        let key = Profile.SharedLogKey(room: room, session: free)
        journals[key] = nil
        try profile.forget(key)
    }

    func endFollowing(_ room: String) {
        for session in places[room]?.followed ?? [] {
            journals[Profile.SharedLogKey(room: room, session: session)]?.journal.unfollow()
        }
        places[room]?.followed = []
        // What nobody follows and nothing adds to is on the disk.
        for key in journals.keys where key.room == room && running[key] == nil { journals[key] = nil }
    }
}
