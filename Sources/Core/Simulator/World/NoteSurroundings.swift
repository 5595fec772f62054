import AppCore

/// What the world knows about a note besides its text: what people say about it, and when it was written.
struct NoteSurroundings: Sendable {
    private(set) var comments: [NoteComment] = []
    /// What the note said after each change, and who made it.
    private var states: [(at: Timestamp, text: String, author: String?)] = []

    /// States that are remembered; the oldest are forgotten.
    private static let limit = 1000

    mutating func remember(_ text: String, by author: String?, at now: Timestamp) {
        states.append((now, text, author))
        if states.count > Self.limit { states.removeFirst() }
    }

    /// One entry for each moment in which it changed.
    var versions: [NoteVersion] {
        states.reduce(into: []) { versions, state in
            let name = state.author ?? "You"
            if let last = versions.indices.last, versions[last].end == state.at {
                versions[last].changes += 1
                if !versions[last].authors.contains(name) { versions[last].authors.append(name) }
            } else {
                versions.append(NoteVersion(start: state.at, end: state.at, changes: 1, authors: [name]))
            }
        }
    }

    func text(at time: Timestamp) -> String? { states.last { $0.at <= time }?.text }

    /// False if it is no change of comments.
    mutating func perform(_ change: NoteOperation, at now: Timestamp) -> Bool {
        switch change {
        case .comment(let comment, let quote, _, let text):
            guard !comments.contains(where: { $0.id == comment }) else { break }
            comments.append(NoteComment(id: comment, author: "You", text: text, quote: quote, at: now, own: true))
        case .reply(let comment, let reply, let text):
            update(comment) {
                guard !$0.replies.contains(where: { $0.id == reply }) else { return }
                $0.replies.append(.init(id: reply, author: "You", text: text, at: now, own: true))
            }
        case .correct(let comment, let reply, let text, _): update(comment) { $0.correct(reply, text, at: now) }
        case .resolve(let comment, let on): update(comment) { $0.resolved = on }
        case .deleteComment(let comment): comments.removeAll { $0.id == comment }
        case .deleteReply(let comment, let reply): update(comment) { $0.replies.removeAll { $0.id == reply } }
        default: return false
        }
        return true
    }

    /// Why a service refuses a change; `nil` if it does not.
    func refusal(of change: NoteOperation) -> Failure? {
        switch change {
        case .correct(let comment, let reply, let text, let base):
            guard let remark = remark(comment, reply) else { return Failure(.commentUnknown) }
            guard remark.isOwn else { return Failure(.notOwn) }
            let isExpected = remark.text == text || base?.contains(remark.text) ?? true
            return isExpected ? nil : Failure(.commentChanged)
        case .deleteReply(let comment, let reply):
            return remark(comment, reply).map(\.isOwn) == false ? Failure(.notOwn) : nil
        default: return nil
        }
    }

    private func remark(_ comment: CommentID, _ reply: ReplyID?) -> (text: String, isOwn: Bool)? {
        let thread = comments.first { $0.id == comment }
        guard let reply else { return thread.map { ($0.text, $0.own == true) } }
        return thread?.replies.first { $0.id == reply }.map { ($0.text, $0.own == true) }
    }

    private mutating func update(_ comment: CommentID, _ change: (inout NoteComment) -> Void) {
        if let index = comments.firstIndex(where: { $0.id == comment }) { change(&comments[index]) }
    }

    /// Learns what somebody else told the core.
    mutating func learn(_ details: NoteDetails) { comments = details.comments }
}

extension NoteComment {
    /// Changes what it says, or what the answer says.
    fileprivate mutating func correct(_ reply: ReplyID?, _ text: String, at now: Timestamp) {
        guard let reply else {
            (self.text, edited) = (text, now)
            return
        }
        guard let index = replies.firstIndex(where: { $0.id == reply }) else { return }
        (replies[index].text, replies[index].edited) = (text, now)
    }
}

extension World {
    /// What is around a note. `[[Title]]` in a text is a link.
    func details(of id: NoteID) -> NoteDetails {
        let others = notes.order.compactMap { notes[$0] }.filter { $0.listed.id != id && !$0.listed.title.isEmpty }
        let text = notes[id]?.text.string ?? ""
        let link = "[[\(notes[id]?.listed.title ?? "")]]"
        return NoteDetails(
            links: others.filter { text.contains("[[\($0.listed.title)]]") }.map(\.listed.id),
            backlinks: others.filter { $0.text.string.contains(link) }.map(\.listed.id),
            comments: notes[id]?.surroundings.comments ?? [])
    }

    /// Tells whoever follows a note what is around it now.
    mutating func tellDetails() {
        for (note, effect) in notes.followers.sorted(by: { $0.key < $1.key }) where notes[note] != nil {
            tell(.noteDetails(effect: effect, details: details(of: note)), about: effect)
        }
    }

    mutating func followNote(_ effect: EffectID, _ note: NoteID) {
        guard notes[note] != nil else { return fail(effect, Failure(.noteUnknown)) }
        tell(.noteDetails(effect: effect, details: details(of: note)), about: effect)
    }

    mutating func listVersions(_ effect: EffectID, _ note: NoteID) {
        guard let known = notes[note] else { return fail(effect, Failure(.noteUnknown)) }
        tell(.versionsListed(effect: effect, versions: known.surroundings.versions), about: effect)
    }

    mutating func readVersion(_ effect: EffectID, _ note: NoteID, at time: Timestamp) {
        guard let known = notes[note] else { return fail(effect, Failure(.noteUnknown)) }
        tell(.versionRead(effect: effect, text: known.surroundings.text(at: time) ?? ""), about: effect)
    }
}
