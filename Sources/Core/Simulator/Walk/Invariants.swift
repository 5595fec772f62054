import AppCore
import Layout

// What must hold, whatever happened.

extension SemanticNode {
    /// Visits every node, in reading order.
    func forEach(_ visit: (SemanticNode) throws -> Void) rethrows {
        try visit(self)
        for child in children { try child.forEach(visit) }
    }
}

extension SimulatedCore {
    /// The tree is one that every renderer can show and every person can leave.
    func checkTree(in view: ViewID = .main) throws {
        var ids: Set<String> = []
        var ways = false
        let tree = try tree(in: view)
        try tree.forEach { node in
            guard ids.insert(node.id).inserted else { throw Fault("the id \(node.id) is there twice") }
            guard node.isEnabled || node.offers.isEmpty else {
                throw Fault("\(node.id) is disabled and offers something")
            }
            if node.role == .button, node.isEnabled, node.offers.isEmpty {
                throw Fault("\(node.id) is an enabled button that does nothing")
            }
            if node.states.contains(.invalid), node.detail == nil || ![.textField, .secretField].contains(node.role) {
                throw Fault("\(node.id) is invalid, and does not say why or is no field")
            }
            if !node.states.isDisjoint(with: [.unread, .pinned]), node.role != .item {
                throw Fault("\(node.id) is unread or pinned, and no item")
            }
            if ["back", "lock", "rooms", "cover"].contains(node.id) { ways = true }
        }
        guard ways else { throw Fault("the screen \(tree.id) has no way back") }
    }

    /// The core as it is now, to compare with later.
    func moment() throws -> CoreMoment {
        if let own = self as? BuiltInCore { .builtIn(own.driver.state) } else { .other(try state) }
    }

    func isUnchanged(since moment: CoreMoment) throws -> Bool {
        switch moment {
        case .builtIn(let before): (self as? BuiltInCore)?.driver.state == before
        case .other(let before): try state == before
        }
    }

    /// No notification tells of a room that a person looks at, or of one that is not there.
    func checkNotifications(shown: Set<RoomID>) throws {
        guard let state = (self as? BuiltInCore)?.driver.state else { return }
        for room in shown where state.isVisible(room) || state.rooms[room] == nil || state.lock.isLocked {
            throw Fault("a notification tells of \(room), which \(state.isVisible(room) ? "is looked at" : "is gone")")
        }
        guard Set((state.notifications ?? []).filter(\.isShown).map(\.room)) == shown else {
            throw Fault("the desktop shows notifications of \(shown.sorted()), and the core knows of others")
        }
    }

    /// The disk holds what the state says, no more and no less, and the messages are in order.
    func checkDisk() throws {
        guard let core = self as? BuiltInCore, !core.driver.state.lock.isLocked else { return }
        let driver = core.driver
        try driver.state.checkMessages()
        var keys: [RecordKey] = driver.openEffects.map { .effect($0.id) }
        for room in driver.state.rooms {
            keys += [.room(room.id), .log(room.id)]
            keys += room.messages.all.map { .message(room.id, $0.id) }
            try driver.checkHistory(room)
        }
        keys += driver.state.circle.tombstones.keys.map { .tombstone($0) }
        keys += driver.state.notes.drafts.map { .draft($0.note) }
        keys += driver.state.composers.all.map { .composer($0.room) }
        keys += driver.state.agents.inOrder.map { .agent($0.id) }
        for talk in driver.state.talks.inOrder {
            keys += [.agentSession(talk.id)] + talk.items.map { .agentItem(talk.id, $0.id) }
        }
        var expected: [String: String] = [:]
        for key in keys {
            expected[key.path] = try driver.core.record(for: key).map { String(decoding: $0, as: UTF8.self) }
        }
        let gone = Set(
            driver.state.rooms.flatMap { driver.unloaded($0) }.map { RecordKey.message($0.room, $0.message).path })
        let saved = driver.disk.filter { $0.key.contains("/") && !gone.contains($0.key) }
        for path in Set(expected.keys).union(saved.keys).sorted() where expected[path] != saved[path] {
            throw Fault(
                "\(path) on disk is not what the state says: \(saved[path] ?? "nothing") is there, and not"
                    + " \(expected[path] ?? "nothing")")
        }
    }
}

extension AppState {
    /// What is counted as unread is what came after the watermark, and messages stand in the order in which they are numbered.
    func checkMessages() throws {
        for room in rooms {
            let unread =
                room.messages.all.count { $0.direction == .received && $0.order > room.seenUpTo ?? 0 }
                + room.messages.gaps.reduce(0) { $0 + $1.unread }
            guard room.unreadCount == unread else {
                throw Fault("\(room.id) counts \(room.unreadCount) unread messages, and has \(unread)")
            }
            guard zip(room.messages.all, room.messages.all.dropFirst()).allSatisfy({ $0.order < $1.order }) else {
                throw Fault("the messages of \(room.id) are out of order")
            }
            guard room.messages.all.allSatisfy({ room.messages[$0.id] == $0 }) else {
                throw Fault("a message of \(room.id) is not found by its id")
            }
        }
    }
}

/// The state of a core at one moment. A core from a library is a reference and changes, so its state is kept instead.
enum CoreMoment: Sendable {
    case builtIn(AppState)
    /// Canonical JSON.
    case other([UInt8])
}

extension Simulation {
    /// The slow checks, made once a run.
    /// - Parameter throughJSON: whether everything is written and read too, which takes longest.
    func checkAll(canaries: [String], throughJSON: Bool) throws {
        try checkReplay(setup + log.entries.map(\.input))
        try checkAnswers()
        try checkWays()
        guard throughJSON else { return }
        let bytes = try JSON.encode(setup + log.entries.map(\.input))
        try checkSecrets(canaries, inputs: bytes)
        try checkReplay(try JSON.decode([Input].self, from: bytes))
        try checkLint()
    }

    private func checkLint() throws {
        let findings = Lint.findings(in: Layout(of: try ViewNode(try core.tree)))
        if let finding = findings.first {
            throw Fault("\(finding.id): \(finding.rule.rawValue): \(finding.explanation)", isOfCore: false)
        }
    }

    /// No secret is in the state, in the log, on the disk, or on the screen.
    private func checkSecrets(_ canaries: [String], inputs: [UInt8]) throws {
        let records = try JSON.encode(try core.records(whileLocked: false))
        let effects = try JSON.encode(log.entries.flatMap(\.effects))
        let texts = [try core.state, try JSON.encode(try core.tree), records, inputs, effects]
        for bytes in texts {
            let text = String(decoding: bytes, as: UTF8.self)
            for canary in canaries where text.contains(canary) {
                throw Fault("a secret has got out: \(canary)", isOfCore: false)
            }
        }
    }

    /// The log leads to the same state again.
    private func checkReplay(_ inputs: [Input]) throws {
        var replay = try core.another()
        for input in inputs { _ = try replay.dispatch(input) }
        guard try replay.isUnchanged(since: core.moment()) else {
            throw Fault("the replay ends in another state", isOfCore: false)
        }
    }

    /// Every effect is answered, planned, held or listed as lost; and each can be answered.
    private func checkAnswers() throws {
        let forgotten = try forgottenEffects()
        guard forgotten.isEmpty else {
            let list = forgotten.map { "\($0.id.number) \($0.type)" }.joined(separator: ", ")
            throw Fault("nobody will answer \(list)", isOfCore: false)
        }
        guard var core = core.copy, var open = try core.openEffects else { return }
        var clock = clock
        for _ in 0..<10_000 {
            guard let effect = open.first(where: { !$0.kind.lasts }) else { return }
            let failed = Event.effectFailed(effect: effect.id, failure: Failure(.other))
            _ = try core.dispatch(clock.input(.event(failed)))
            open = try core.openEffects ?? []
        }
        throw Fault("effects are open that no answer closes: \(Set(open.map(\.type)).sorted())", isOfCore: false)
    }

    /// From everywhere there is a way back to the beginning, by taps alone.
    private func checkWays() throws {
        guard var core = core.copy else { return }
        var clock = clock
        _ = try core.dispatch(clock.input(.app(.becameActive)))
        for _ in 0..<64 {
            let tree = try core.tree
            if tree.id == "rooms" || tree.id == "lock" { return }
            guard let offer = tree.find("back")?.offers.first else {
                throw Fault("the screen \(tree.id) is a dead end", isOfCore: false)
            }
            _ = try core.dispatch(clock.input(offer.action))
        }
        throw Fault("going back never ends", isOfCore: false)
    }
}

extension Effect.Kind {
    /// Whether it is meant to stay open.
    fileprivate var lasts: Bool {
        switch self {
        case .openLink, .watchRoom, .meet, .openNotes, .readNote, .shareNote, .openApps, .schedule: true
        default: false
        }
    }
}
