import AppCore

/// Everything around a core that is not the core: it answers every effect by its id.
///
/// A value with a seed: the same effects at the same times get the same answers. It knows no more of the core than a
/// host does, the effects that it asks for and the events that it is told. Each subsystem has a file, `World+Rooms.swift`,
/// and its own part of the state.
package struct World: Sendable {
    package internal(set) var settings: WorldSettings
    var random: SplitMix64
    var agenda = Agenda()
    var books = EffectBooks()
    var secrets = SecretStore()
    var rooms = RoomsWorld()
    var circle = CircleWorld()
    var notes = NotesWorld()
    var apps = AppsWorld()
    var agents = AgentsWorld()
    var voices = VoicesWorld()
    var machine = MachineWorld()
    /// The time of the last thing that the world took part in.
    private(set) var now = LogicalClock.beginning
    /// How often each answer to the effect at hand comes.
    private var copies = 1

    package init(settings: WorldSettings = WorldSettings(), seed: UInt64 = 0) {
        self.settings = settings
        random = SplitMix64(seed: seed)
        for source in settings.apps.installed {
            guard let pack = apps.packs[source] else { continue }
            apps.put(ListedApp(pack, granting: pack.requests.map(\.capability), over: nil))
        }
        for text in settings.notes.texts { create(NoteID("note-\(notes.number())"), text, in: nil, by: nil) }
    }

    mutating func follow(_ time: Timestamp) { now = max(now, time) }

    // MARK: - Effects

    /// Takes what the core asked for, and plans the answers.
    mutating func take(_ effects: [Effect]) {
        for effect in effects {
            notice(effect)
            if settings.diskFull {
                books.note(effect.id, .disk)
                machine.waitingForDisk.append(effect)
            } else {
                treat(effect)
            }
        }
    }

    /// Enters an effect in the books, without a thought of answering it.
    mutating func notice(_ effect: Effect) {
        books.enter(effect, .held)
        noticeInRooms(effect)
        noticeInCircle(effect)
        noticeInNotes(effect)
        noticeInApps(effect)
        noticeInAgents(effect)
        noticeOnMachine(effect)
    }

    /// Looks for a rule, and does what it says.
    mutating func treat(_ effect: Effect) {
        let rule = rule(for: effect)
        switch rule?.outcome {
        case .lose: books.lose(effect)
        case .fail:
            let failure = rule?.failure ?? effect.kind.usualFailure
            tell(.effectFailed(effect: effect.id, failure: failure), about: effect.id, after: rule?.delayMs ?? 0)
        case .delay: wait(effect, milliseconds: rule?.delayMs ?? 1000)
        case .duplicate: carryOut(effect, copies: 2)
        case .answer, nil: carryOut(effect)
        }
    }

    private mutating func rule(for effect: Effect) -> Rule? {
        guard !settings.rules.isEmpty else { return nil }
        for index in settings.rules.indices {
            let rule = settings.rules[index]
            guard rule.times != 0, rule.concerns(effect.kind) else { continue }
            if let chance = rule.chance, Double.random(in: 0..<1, using: &random) >= chance { continue }
            if let times = rule.times { settings.rules[index].times = times - 1 }
            return rule
        }
        return nil
    }

    /// Puts an effect off.
    mutating func wait(_ effect: Effect, milliseconds: Int64) {
        books.note(effect.id, .planned)
        agenda.add(.carryOut(effect), at: now.advanced(byMilliseconds: max(milliseconds, 0)))
    }

    private mutating func carryOut(_ effect: Effect, copies: Int = 1) {
        self.copies = copies
        defer { self.copies = 1 }
        let isOurs =
            carryOutInRooms(effect) || carryOutInCircle(effect) || carryOutInNotes(effect)
            || carryOutInApps(effect) || carryOutInAgents(effect) || carryOutVoices(effect) || carryOutOnMachine(effect)
        if !isOurs { done(effect.id) }
    }

    // MARK: - Answers

    /// Plans that the core is told something.
    mutating func tell(_ event: Event, about effect: EffectID? = nil, after milliseconds: Int64 = 0) {
        let due = now.advanced(byMilliseconds: max(milliseconds, 0))
        if let effect { books.note(effect, .planned) }
        for _ in 0..<copies { agenda.add(.tell(event, about: effect), at: due) }
    }

    mutating func done(_ effect: EffectID) { tell(.effectDone(effect: effect), about: effect) }

    mutating func fail(_ effect: EffectID, _ failure: Failure) {
        tell(.effectFailed(effect: effect, failure: failure), about: effect)
    }

    /// The next thing that the core has to hear by now; `nil` when it is up to date.
    mutating func next() -> Event? {
        while let deed = agenda.pop(until: now) {
            switch deed {
            case .tell(let event, _): return event
            case .carryOut(let effect): if books[effect.id] != nil { carryOut(effect) }
            case .arrive(let room): peerArrives(room)
            case .ring: return .tick
            }
        }
        return nil
    }

    /// Updates the world from an event for the core, regardless of the sender.
    mutating func observe(_ event: Event, isOwn: Bool) {
        if let effect = event.effect, !isOwn {
            // Somebody else has answered: what was planned about this effect is void.
            agenda.remove { if case .tell(_, effect) = $0 { true } else { false } }
        }
        observeInNotes(event, isOwn: isOwn)
        observeInApps(event, isOwn: isOwn)
        observeInAgents(event)
        observeInCircle(event, isOwn: isOwn)
        observeInRooms(event, isOwn: isOwn)
        observeVoices(event)
        observeOnMachine(event)
        if let effect = event.effect { close(effect, with: event) }
    }

    private mutating func close(_ effect: EffectID, with event: Event) {
        switch event {
        case .roomWatching, .linkChanged, .verificationChanged, .peerRemembered, .notesListed, .notesChanged,
            .foldersChanged, .notesSyncChanged, .noteText, .noteDetails, .appsListed, .appsChanged, .installProgress,
            .messagesMoved, .agentStarted, .agentTold, .pictureKept, .voiceBegan:
            books.note(effect, .lasting)
        case .effectFailed(_, let failure) where failure.retryable && books[effect]?.isKeptForLater == true:
            books.note(effect, .retried)
        default: books.close(effect)
        }
    }
}
