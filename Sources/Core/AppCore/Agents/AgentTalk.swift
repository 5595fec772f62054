/// A session with what was said in it.
package struct AgentTalk: Sendable, Hashable, Codable, Identifiable {
    package internal(set) var session: AgentSession
    /// In the order in which they came; their numbers rise.
    package internal(set) var items: [AgentItem] = []
    /// Bytes that the items take, about.
    var bytes = 0
    /// When an item changed last. It never goes back, also where the clock does: who follows asks for what changed since.
    private var latest: Timestamp?
    package internal(set) var live = Live()
    /// What the person was told of on the desktop, as long as that is shown.
    package internal(set) var notice: AgentNotice?

    /// What ends with the process, or with the agent.
    package struct Live: Sendable, Hashable, Codable {
        /// The ``Effect/Kind/startAgentSession(session:place:folder:setup:)`` under which the agent runs.
        package internal(set) var effect: EffectID?
        /// Whether it was ready for a prompt.
        package internal(set) var isStarted = false
        /// The prompt that is on its way to it.
        var prompt: EffectID?
        /// Whether it ran and was ready when the prompt was given to it.
        var wasReady: Bool?
        /// Whether the turn is being stopped.
        package internal(set) var isStopping = false
        /// The last request that it made; numbers only go up.
        var request = 0
        /// How many of its deltas were heard: none counts twice.
        package internal(set) var heard = 0
        /// Tokens of its context window that are taken, and its size.
        package internal(set) var tokens: Int?
        package internal(set) var window: Int?
        /// Whether the connection to an agent that is not in this process is down.
        package internal(set) var isAway: Bool?
        /// What is going on in the turn, in the words of the other side.
        package internal(set) var detail: String?
        /// Whether it takes messages in the middle of a turn; `nil` for no.
        package internal(set) var takesInterjections: Bool?
        /// The message that was given to it so.
        var interjection: Interjection?
        /// Remarks since the last turn ended.
        var remarks: Int?
        /// What a member asked for the next turn, when the end of this one was heard there and not yet here.
        var early: Early?
        /// Pictures of items that gave way, which the host is to forget.
        var gone: [AgentPicture]?
    }

    /// A prompt that came too soon.
    struct Early: Sendable, Hashable, Codable {
        var text: String
        var pictures: [AgentPicture]?
    }

    package var id: AgentSessionID { session.id }

    init(_ session: AgentSession, items: [AgentItem] = []) {
        self.session = session
        self.items = items.sorted { $0.id < $1.id }
        bytes = items.reduce(0) { $0 + $1.bytes }
        latest = items.map(\.changedAt).max()
        let last = self.items.last?.id ?? 0
        self.session.next = max(session.next, last == .max ? last : last + 1)
    }

    /// When something was heard of the agent, or asked, last.
    var heardAt: Timestamp { max(session.changedAt, items.last?.changedAt ?? session.changedAt) }

    // MARK: Items

    /// The time of a change.
    mutating func stamp(_ now: Timestamp) -> Timestamp {
        let stamp = max(now, latest ?? now)
        latest = stamp
        return stamp
    }

    /// - Returns: the numbers of items whose records changed: the new one, and those that gave way to it.
    mutating func add(_ content: AgentItem.Content, at now: Timestamp) -> [Int] {
        let item = AgentItem(
            id: session.number(), turn: session.turn, at: now, changedAt: stamp(now), content: content)
        items.append(item)
        bytes += item.bytes
        return [item.id] + makeRoom()
    }

    /// Adds a piece of an answer or a thought: to the last item, if that goes on.
    mutating func add(_ piece: CutText, isThought: Bool, at now: Timestamp) -> [Int] {
        guard !piece.text.isEmpty || piece.omitted != nil else { return [] }
        if let last = items.indices.last, items[last].turn == session.turn,
            let added = items[last].add(piece, isThought: isThought, at: stamp(now))
        {
            bytes += added
            return [items[last].id] + makeRoom()
        }
        let text = piece.fitted(to: AgentTalkLimits.textBytes)
        return add(isThought ? .thought(text: text) : .text(text: text), at: now)
    }

    /// Takes what is said of a call. One that is told as a whole replaces what was known; a change of an unknown one is taken as a new one.
    /// A call of an earlier turn stays what it was: what a person has seen is not written anew.
    mutating func take(_ call: AgentCall, isWhole: Bool, at now: Timestamp) -> [Int] {
        guard let index = index(of: call.id) else { return add(.called(call: call.fitted), at: now) }
        guard case .called(let known) = items[index].content else { return [] }
        let merged = (isWhole ? call : known.with(call)).fitted
        guard merged != known else { return [] }
        bytes -= items[index].bytes
        items[index].content = .called(call: merged)
        items[index].changedAt = stamp(now)
        bytes += items[index].bytes
        return [items[index].id] + makeRoom()
    }

    /// What the call is with what is known of it already.
    func merged(_ call: AgentCall) -> AgentCall {
        guard let index = index(of: call.id), case .called(let known) = items[index].content else { return call.fitted }
        return known.with(call).fitted
    }

    /// The call of this turn that has this id.
    private func index(of call: String) -> Int? {
        let id = call.limited(to: AgentTalkLimits.nameBytes)
        for index in items.indices.reversed() {
            guard items[index].turn == session.turn else { return nil }
            if case .called(let known) = items[index].content, known.id == id { return index }
        }
        return nil
    }

    /// The oldest go when there are too many, or too much is in them.
    mutating func makeRoom() -> [Int] {
        var gone: [Int] = []
        while items.count - gone.count > 1,
            items.count - gone.count > AgentTalkLimits.items || bytes > AgentTalkLimits.sessionBytes
        {
            let item = items[gone.count]
            bytes -= item.bytes
            gone.append(item.id)
            if case .prompt(_, let pictures?) = item.content { live.gone = (live.gone ?? []) + pictures }
        }
        items.removeFirst(gone.count)
        session.forgotten += gone.count
        return gone
    }

    /// The session with the items from one on, and those that changed since a time: what somebody who knows the rest has to learn.
    package func part(from first: Int, since time: Timestamp) -> AgentTalk {
        var part = AgentTalk(session, items: items.filter { $0.id >= first || $0.changedAt >= time })
        part.live = live
        part.notice = notice
        return part
    }

    package subscript(item id: Int) -> AgentItem? {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < items.count && items[low].id == id ? items[low] : nil
    }
}

extension AgentItem {
    /// - Returns: the bytes that were added; `nil` if this does not go on with the piece, or has no room for it.
    mutating func add(_ piece: CutText, isThought: Bool, at now: Timestamp) -> Int? {
        let text: CutText
        switch (content, isThought) {
        case (.text(let known), false), (.thought(let known), true): text = known
        default: return nil
        }
        let room = AgentTalkLimits.textBytes - text.text.utf8.count
        guard text.omitted == nil, piece.text.utf8.count <= room else { return nil }
        // A second owner would have the text copied with each piece.
        content = .begunAnew
        content = text.adding(piece, isThought: isThought)
        changedAt = now
        return piece.text.utf8.count
    }
}

extension CutText {
    fileprivate consuming func adding(_ piece: CutText, isThought: Bool) -> AgentItem.Content {
        var whole = self
        whole.add(piece, upTo: AgentTalkLimits.textBytes)
        return isThought ? .thought(text: whole) : .text(text: whole)
    }
}

/// All sessions with agents.
package struct AgentTalks: Sendable, Hashable, AddedLater {
    package internal(set) var byID: [AgentSessionID: AgentTalk] = [:]
    /// What became of questions.
    package internal(set) var log = AgentLog()
    /// Until when the programs that began sessions may come back to those in which nothing was asked.
    package internal(set) var unaskedUntil: Timestamp?

    package init() {}

    package subscript(id: AgentSessionID) -> AgentTalk? {
        get { byID[id] }
        _modify { yield &byID[id] }
    }

    /// The one that changed last comes first.
    package var inOrder: [AgentTalk] {
        byID.values.sorted { ($1.session.changedAt, $0.id) < ($0.session.changedAt, $1.id) }
    }
}

extension AgentTalks: Codable {
    private enum Key: String, CodingKey {
        case sessions, log
        case unaskedUntil = "unasked_until"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for talk in try container.decode([AgentTalk].self, forKey: .sessions) { byID[talk.id] = talk }
        log = try container.decode(AgentLog.self, forKey: .log)
        unaskedUntil = try container.decodeIfPresent(Timestamp.self, forKey: .unaskedUntil)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(byID.values.sorted { $0.id < $1.id }, forKey: .sessions)
        try container.encode(log, forKey: .log)
        try container.encodeIfPresent(unaskedUntil, forKey: .unaskedUntil)
    }
}

/// Bounds that conversations with agents keep.
package enum AgentTalkLimits {
    /// Sessions that are kept.
    package static let sessions = 100
    /// Agents that run at the same time.
    package static let running = 8
    /// Items of a session; the oldest go.
    package static let items = 2000
    /// Bytes of all items of a session, about; the oldest go.
    package static let sessionBytes = 2 << 20
    /// Bytes of a prompt, and of all that wait together.
    package static let promptBytes = 256 << 10
    /// Prompts that wait for the end of a turn.
    package static let queued = 64
    /// Pictures that go along with one prompt, and the bytes of all of them together.
    package static let pictures = 8
    package static let pictureBytes = 4 << 20
    /// Bytes of one stretch of an answer or a thought; the rest is counted.
    package static let textBytes = 64 << 10
    /// Bytes of what a tool is given; the rest is counted.
    package static let inputBytes = 64 << 10
    /// Bytes of what a tool returned; the rest is counted.
    package static let outputBytes = 32 << 10
    /// Bytes of all texts and differences of one call; the rest is counted.
    package static let resultBytes = 256 << 10
    /// Results and places of a call, and steps of a plan.
    package static let elements = 64
    /// Bytes of a name, a title or a path.
    package static let nameBytes = 4096
    /// Bytes of the title of a session.
    package static let titleBytes = 256
    /// Bytes of a folder's path.
    package static let folderBytes = 4096
    /// Sessions that an agent has already, of which a view shows so many.
    package static let threads = 256
    /// What can be chosen of one kind.
    package static let chooserOptions = 256
    /// Bytes of the name of a tool of Alcove's.
    package static let toolBytes = 128
    /// Remarks that are kept of a turn, and the bytes of each.
    package static let remarks = 32
    package static let remarkBytes = 1024
    /// Bytes of what an agent calls an answer.
    package static let optionBytes = 256
    /// Bytes of what an agent wrote into its log.
    package static let logBytes = 4096
    /// Answers that an agent offers to a question.
    package static let options = 16
    /// Questions of a session that wait for an answer.
    package static let approvals = 64
    /// Milliseconds that a question waits for an answer before it counts as rejected.
    package static let approvalPatience: Int64 = 600_000
    /// Milliseconds in which the program that began a session can take it up again after the host was started anew, if nothing was asked there.
    package static let unaskedPatience: Int64 = 600_000
    /// Things that are allowed for as long as a session lasts.
    package static let allowed = 256
    /// Entries of the log.
    package static let logged = 256
}
