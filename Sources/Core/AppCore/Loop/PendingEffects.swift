/// The effects that were issued and not answered yet, and the numbers for the next ones.
package struct PendingEffects: Sendable, Hashable {
    package private(set) var byID: [EffectID: Effect.Kind] = [:]
    /// The views that wait for an answer, other than the main one.
    private var askers: [EffectID: ViewID] = [:]
    /// Effects that failed for now, and when they are tried again under the same id.
    private(set) var parked: [EffectID: Timestamp] = [:]
    /// The number of the next effect.
    private(set) var next: UInt64 = 1
    /// Numbers below this one are spoken for on disk: reserving many at once saves a write per effect.
    private(set) var reserved: UInt64 = 1
    /// The next wake-up that was asked for.
    private(set) var alarm: Alarm?

    package struct Alarm: Sendable, Hashable, Codable {
        package var effect: EffectID
        package var at: Timestamp
    }

    static let block: UInt64 = 1024

    package init() {}

    /// Every open effect, oldest first. The order of `byID` itself differs from run to run.
    var inOrder: [Effect] { byID.map { effect($0.key, $0.value) }.sorted { $0.id < $1.id } }

    func effect(_ id: EffectID, _ kind: Effect.Kind) -> Effect { Effect(id: id, kind: kind, view: askers[id]) }

    /// The view that waits for the answer; `nil` for the main one, and when none does.
    package func asker(of id: EffectID) -> ViewID? { askers[id] }

    package subscript(id: EffectID) -> Effect.Kind? { byID[id] }

    /// Whether an effect is open that fulfils `condition`.
    package func contains(where condition: (Effect.Kind) -> Bool) -> Bool { byID.values.contains(where: condition) }

    /// Continues after a restart above every number that may have been used.
    mutating func resume(from reserved: UInt64) {
        next = max(next, reserved)
        self.reserved = max(self.reserved, next)
    }

    /// The number for a new effect, and whether the ``RecordKey/counters`` record has to be saved.
    mutating func number() -> (id: EffectID, reserves: Bool) {
        let id = EffectID(next)
        next &+= 1
        guard next > reserved else { return (id, false) }
        reserved = next &+ Self.block
        return (id, true)
    }

    mutating func add(_ id: EffectID, _ kind: Effect.Kind, for view: ViewID? = nil) {
        byID[id] = kind
        if let view, view != .main, kind.isForItsView { askers[id] = view }
    }

    /// Takes an effect out: it was answered, or its answer does not matter any more.
    @discardableResult mutating func remove(_ id: EffectID) -> Effect.Kind? {
        if !parked.isEmpty { parked.removeValue(forKey: id) }
        if !askers.isEmpty { askers.removeValue(forKey: id) }
        return byID.removeValue(forKey: id)
    }

    /// Drops every effect that does not fulfil `condition`; the host is not told.
    mutating func keep(where condition: (Effect.Kind) -> Bool) {
        byID = byID.filter { condition($0.value) }
        parked = parked.filter { byID[$0.key] != nil }
        askers = askers.filter { byID[$0.key] != nil }
    }

    /// The same numbers with other effects.
    func mapped(_ change: (Effect.Kind) -> Effect.Kind) -> PendingEffects {
        var copy = self
        copy.byID = byID.mapValues(change)
        return copy
    }

    /// Sets an effect aside until `time`.
    mutating func park(_ id: EffectID, until time: Timestamp) { if byID[id] != nil { parked[id] = time } }

    /// Takes back the effects whose time has come (all of them without a time), in the order they were issued.
    mutating func unpark(until now: Timestamp? = nil) -> [Effect] {
        let due = parked.filter { entry in now.map(entry.value.isDue) ?? true }.keys.sorted()
        for id in due { parked.removeValue(forKey: id) }
        return due.compactMap { id in byID[id].map { effect(id, $0) } }
    }

    /// Whether everything is being erased, or will be as soon as that is possible.
    var isErasing: Bool { erasure != nil }

    /// The effect that erases everything.
    var erasure: EffectID? {
        byID.first { if case .eraseAll = $0.value { true } else { false } }?.key
    }

    mutating func setAlarm(_ alarm: Alarm?) { self.alarm = alarm }
}

extension PendingEffects: Codable {
    private enum Key: CodingKey { case pending, parked, next, reserved, alarm }

    private struct Parked: Codable {
        var effect: EffectID
        var until: Timestamp
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for effect in try container.decode([Effect].self, forKey: .pending) {
            add(effect.id, effect.kind, for: effect.view)
        }
        for entry in try container.decode([Parked].self, forKey: .parked) { park(entry.effect, until: entry.until) }
        next = try container.decode(UInt64.self, forKey: .next)
        reserved = try container.decode(UInt64.self, forKey: .reserved)
        alarm = try container.decodeIfPresent(Alarm.self, forKey: .alarm)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(inOrder, forKey: .pending)
        let waiting = parked.map { Parked(effect: $0.key, until: $0.value) }.sorted { $0.effect < $1.effect }
        try container.encode(waiting, forKey: .parked)
        try container.encode(next, forKey: .next)
        try container.encode(reserved, forKey: .reserved)
        try container.encodeIfPresent(alarm, forKey: .alarm)
    }
}

extension Effect.Kind {
    /// Whether its answer is for the view that asked: one view made a request, and no other waits for what comes of it.
    var isForItsView: Bool {
        switch self {
        case .createRoom, .joinRoom, .sealByHand, .openByHand, .createNote, .appendToNote, .changeNote, .changeFolder,
            .searchNotes, .listVersions, .readVersion, .exportNotes, .packNotes, .importNote, .inspectApp, .installApp,
            .removeApp,
            .setGrant, .setBackground, .startApp, .stopApp,
            .openUrl, .openFile, .saveFile, .startCore, .answerAgent, .giveAgent, .keepPicture, .setPassphrase, .unlock,
            .acceptFile, .recordVoice, .endVoice,
            .loadHistory, .findMessage, .findUnseen, .searchMessages, .exportProfile, .restoreProfile, .readForSummary,
            .listAgentThreads, .readDevices, .pairGateway, .askOnDesktop,
            .interject, .sendToolToBackground:
            true
        default: false
        }
    }
}

extension Event {
    /// The effect that it answers, if that was the request of one view.
    var answeredRequest: EffectID? {
        switch self {
        case .effectDone(let effect), .effectFailed(let effect, _), .roomCreated(let effect, _, _, _, _),
            .roomJoined(let effect, _, _), .sealedByHand(let effect, _), .openedByHand(let effect, _, _, _, _, _),
            .fileSaved(let effect, _), .voiceBegan(let effect), .voiceRecorded(let effect, _, _, _, _),
            .notesFound(let effect, _), .versionsListed(let effect, _),
            .versionRead(let effect, _), .notesExported(let effect, _, _), .notesPacked(let effect, _, _, _),
            .notesImported(let effect, _, _, _),
            .appInspected(let effect, _),
            .componentStarted(let effect, _, _),
            .pictureKept(let effect, _), .vaultUnlocked(let effect, _), .vaultRejected(let effect, _),
            .historyLoaded(let effect, _, _, _),
            .messagesFound(let effect, _, _), .profileExported(let effect, _, _, _), .summaryText(let effect, _, _),
            .agentThreadsListed(let effect, _), .devicesRead(let effect, _), .gatewayPaired(let effect, _, _, _),
            .desktopAnswered(let effect, _):
            effect
        default: nil
        }
    }
}
