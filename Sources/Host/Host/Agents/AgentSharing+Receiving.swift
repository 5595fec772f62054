import AgentProtocols
import Agents
import AppCore
import Rooms

// What comes over the links. Every byte is a stranger's, and so is every id in it.

extension AgentSharing {
    /// How much a member may want: so much at once, and so much more each second (a token bucket). A new connection gives nothing back,
    /// because a member makes as many as they like.
    struct Intake {
        private let burst: Double
        private let perSecond: Double
        private var left: Double
        private var at = ContinuousClock.now

        init(burst: Int, perSecond: Double) {
            (self.burst, self.perSecond, left) = (Double(burst), perSecond, Double(burst))
        }

        mutating func takes() -> Bool {
            let now = ContinuousClock.now
            left = min(burst, left + perSecond * ((now - at) / .seconds(1)))
            at = now
            guard left >= 1 else { return false }
            left -= 1
            return true
        }

        var isUsedUp: Bool { left + perSecond * ((ContinuousClock.now - at) / .seconds(1)) < 1 }
    }

    func take(_ report: RoomReport) {
        switch report {
        case .agentChannel(let room, let isOpen): channel(of: room, isOpen: isOpen)
        case .agentMessage(let room, let bytes): take(message: bytes, room)
        default: break
        }
    }

    private func channel(of room: String, isOpen: Bool) {
        endFollowing(room)
        var place = places[room] ?? Place()
        (place.isOpen, place.parts) = (isOpen, SharingParts())
        (place.early, place.pictures) = ([], SharedPictures())
        place.connection += 1
        places[room] = place
        // Nothing is said over a link that is gone, unless it is about an agent of the member's that waits for it.
        if !isOpen, place.guests.isEmpty { senders.removeValue(forKey: room)?.frames.finish() }
        if isOpen { tellOffers(room) }
        for agent in place.guests.values { if isOpen { agent.linked() } else { agent.unlinked() } }
    }

    private func take(message: [UInt8], _ room: String) {
        guard let place = places[room], place.isOpen, !place.unreadable.isUsedUp else { return }
        do throws(AgentProtocolError) {
            guard let bytes = try places[room]?.parts.add(message) else { return }
            take(try SharingFrame(bytes).content, room)
        } catch {
            _ = places[room]?.unreadable.takes()
        }
    }

    func take(_ frame: SharingFrame.Content, _ room: String) {
        switch frame {
        case .offers(let agents):
            guard places[room]?.wishes.takes() == true else { return }
            let offers = agents.map { AgentOffer(share: AgentShareID($0.id), name: $0.name, readOnly: $0.isReadOnly) }
            event.yield(.agentsOffered(room: RoomID(room), agents: offers))
        case .state(let session, _, _, _), .event(let session, _, _), .promptRefused(let session, _, _),
            .answerRefused(let session, _, _):
            places[room]?.guests[session]?.receive(frame)
        case .resume(let session, let share, let after): follow(session, share, after: after, room)
        case .received(let session, let through): followed(session, room)?.received(through: through)
        case .picture(let session, let turn, let place, let piece, let isLast):
            guard followed(session, room) != nil else { return }
            places[room]?.pictures.take(session: session, turn: turn, place: place, piece: piece, isLast: isLast)
        case .prompt, .cancel, .answer, .close: takeWish(frame, room)
        case .unknown: break
        }
    }

    /// The log that the member follows over this connection.
    private func followed(_ session: String, _ room: String) -> SharedJournal? {
        guard places[room]?.followed.contains(session) == true else { return nil }
        return journals[Profile.SharedLogKey(room: room, session: session)]?.journal
    }

    private func follow(_ session: String, _ share: String, after: Int, _ room: String) {
        guard let place = places[room], places[room]?.follows.takes() == true else { return }
        guard let offers = place.offers else {
            // The core has not said yet what is shared: the member may be known a moment later.
            if place.early.count < SharingLimits.sessions {
                places[room]?.early.append(.resume(session: session, agent: share, after: after))
            }
            return
        }
        let key = Profile.SharedLogKey(room: room, session: session)
        guard offers.contains(where: { $0.share.text == share }), let journal = try? journal(key, for: share) else {
            return
        }
        places[room]?.followed.insert(session)
        journal.follow(after: after, isLive: running[key] != nil, sender(room))
    }

    private func takeWish(_ frame: SharingFrame.Content, _ room: String) {
        guard places[room]?.wishes.takes() == true else { return }
        let (session, wish): (String, MemberWish)
        switch frame {
        case .prompt(let id, let turn, let text, let count):
            let shown = places[room]?.pictures.taken(session: id, turn: turn, count: count)
            let key = Profile.SharedLogKey(room: room, session: id)
            guard let journal = followed(id, room), let share = journals[key]?.share else {
                return send(.promptRefused(session: id, turn: turn, .notShared), room)
            }
            // It comes again: what came of it is in the log.
            guard turn > journal.summary.turn else { return }
            guard let shown, let pictures = try? shown.map({ try profile.keep($0, named: "") }) else {
                return send(.promptRefused(session: id, turn: turn, .tooLarge), room)
            }
            let asked = pictures.isEmpty ? nil : pictures
            (session, wish) = (id, .asks(share: AgentShareID(share), turn: turn, text: text, pictures: asked))
        case .answer(let id, let request, let option):
            guard followed(id, room) != nil else {
                return send(.answerRefused(session: id, request: request, .notShared), room)
            }
            (session, wish) = (id, .answers(request: request, option: option))
        case .cancel(let id, let turn) where followed(id, room) != nil: (session, wish) = (id, .stops(turn: turn))
        case .close(let id) where followed(id, room) != nil: (session, wish) = (id, .closes)
        default: return
        }
        event.yield(.memberWants(room: RoomID(room), session: AgentSessionID(session), wish: wish))
    }
}

extension RoomReport {
    /// Whether it is about agents.
    var isAboutAgents: Bool {
        switch self {
        case .agentChannel, .agentMessage: true
        default: false
        }
    }
}
