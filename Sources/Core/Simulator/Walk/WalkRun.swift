import AppCore

/// One stretch of a ``RandomWalk``.
struct WalkRun: Sendable {
    var simulation: Simulation
    var random: SplitMix64
    /// Effects that are answered again, or late: that must do no harm.
    private var old: [Effect] = []
    private var endedTrust = EndedTrust()
    private var noteInvariants: NoteInvariants
    private var appInvariants: AppInvariants
    private var agentInvariants = AgentInvariants()
    /// The views in which the person acts.
    private let views: [ViewID]

    /// Secrets that the person types. They must never be seen again.
    static let words = "canary-words-Zq7"
    static let canaries = [words, "canary-pass-Xw1", "canary-pass-Xw2"]

    init(_ simulation: Simulation, seed: UInt64) throws {
        self.simulation = simulation
        random = SplitMix64(seed: seed)
        noteInvariants = NoteInvariants(simulation.core)
        appInvariants = try AppInvariants(simulation.core)
        let all: [ViewID] = simulation.core is BuiltInCore ? [.main, "second", "third"] : [.main]
        views = Array(all.prefix(Int.random(in: 1...3, using: &random)))
    }

    /// Goes on at random for so many inputs, and looks at everything at the end.
    mutating func run(steps: Int, throughJSON: Bool) throws -> Fault? {
        do {
            var count = 0
            let before = simulation.log.last
            if chance(50), simulation.core is BuiltInCore {
                try simulation.restart(locked: false, recent: Int.random(in: 1...4, using: &random))
            }
            for view in views { try act(.app(.openView), in: view) }
            for view in views { try act(.app(.becameActive), in: view) }
            for view in views where chance(50) { try act(.app(.tellAbilities(can: [.microphone])), in: view) }
            try follow(since: before)
            while simulation.transitions < steps, count < steps {
                try step()
                count += 1
                if count % 16 == 0 { try checkTrees() }
                if count % 64 == 0 { try simulation.core.checkDisk() }
            }
            try checkTrees()
            try simulation.core.checkDisk()
            try simulation.checkAll(canaries: Self.canaries, throughJSON: throughJSON)
            return nil
        } catch let fault as Fault { return fault }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func step() throws {
        let before = simulation.log.last
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: try tapSomething()
        case 60..<68: if let effect = try openEffect() { try answer(effect) }
        case 68..<78: try haveThePeerDoSomething()
        case 78..<84: try simulation.advance(milliseconds: Int64.random(in: 0..<90_000, using: &random))
        case 84: try simulation.sleep(milliseconds: Int64.random(in: 0..<172_800_000, using: &random))
        case 85..<88: if let effect = old.randomElement(using: &random) { try answer(effect) }
        case 88..<90: try act(.app(.becameInactive), in: someView())
        case 90: try simulation.dispatch(.event(.reachabilityChanged(online: chance(60))))
        case 91:
            let isFull = chance(40)
            try simulation.setDiskFull(isFull)
        case 92: if chance(20) { try simulation.restart(locked: false) }
        case 93: if chance(5) { try act(.app(.eraseAll), in: someView()) }
        case 94: if chance(20) { try act(.app(.closeView), in: someView()) }
        case 95: if let session = someAgentSession() { try act(.agents(.startAgent(session: session)), in: someView()) }
        default:
            let view = someView()
            try act(.app(.openView), in: view)
            try act(.app(.becameActive), in: view)
        }
        try follow(since: before)
    }

    /// Looks at what happened after a step.
    private mutating func follow(since before: Int) throws {
        let entries = ((before + 1)..<(max(before, simulation.log.last) + 1)).compactMap { simulation.log[$0] }
        try endedTrust.follow(entries, simulation.core)
        try noteInvariants.follow(entries, simulation.core)
        try appInvariants.follow(entries, simulation.core)
        try agentInvariants.follow(entries, simulation.core)
        try simulation.core.checkRecordings()
        try simulation.core.checkNotifications(shown: simulation.world.machine.notifications)
        old += entries.flatMap(\.effects)
        if old.count > 50 { old.removeFirst(old.count - 50) }
    }

    private mutating func openEffect() throws -> Effect? {
        try simulation.core.openEffects?.randomElement(using: &random)
    }

    // MARK: - The person

    private mutating func someView() -> ViewID { views.randomElement(using: &random) ?? .main }

    private func isOpen(_ view: ViewID) -> Bool {
        guard let core = simulation.core as? BuiltInCore else { return view == .main }
        return core.driver.state.views[view] != nil
    }

    private func checkTrees() throws {
        for view in views where isOpen(view) { try simulation.core.checkTree(in: view) }
    }

    /// Acts in one view, and looks whether the others noticed.
    private mutating func act(_ action: Action, in view: ViewID) throws {
        let before = (simulation.core as? BuiltInCore)?.driver.state
        let seq = simulation.log.last
        try simulation.dispatch(action, in: view)
        if views.count > 1, let before, let input = simulation.log[seq + 1]?.input {
            try OtherViews(before, before: input).check()
        }
    }

    private mutating func tapSomething() throws {
        let view = someView()
        guard isOpen(view) else { return }
        // What a row offers is made of its template, which costs as much as the rest of a step; so only what is chosen is made.
        var offers: [(node: String, offer: () -> Offer?)] = []
        // Erasing everything ends every interesting story.
        try simulation.core.tree(in: view).forEach { node in
            if !node.templates.isEmpty {
                for row in node.children {
                    for verb in row.uses { offers.append((row.id, { node.offer(verb, at: row.id) })) }
                }
            }
            if node.offers.isEmpty || node.id.hasSuffix(".erase") { return }
            for offer in node.offers { offers.append((node.id, { offer })) }
        }
        guard let (node, chosen) = offers.randomElement(using: &random), let offer = chosen() else { return }
        let action = try fill(offer)
        let before = try simulation.core.moment()
        let seq = simulation.log.last
        try act(action, in: view)
        guard offer.inputs.isEmpty else { return }
        let didSomething = simulation.log[seq + 1]?.effects.isEmpty == false
        if try !didSomething && simulation.core.isUnchanged(since: before) {
            throw Fault("\(node) is offered and does nothing")
        }
    }

    /// Puts what the person enters into the keys that the offer names, as every renderer does.
    private mutating func fill(_ offer: Offer) throws -> Action {
        guard !offer.inputs.isEmpty else { return offer.action }
        var entries: [String: JSONValue] = [:]
        for (input, kind) in zip(offer.inputs, offer.kinds) { entries[input] = entry(for: input, kind) }
        return try offer.filled(with: entries)
    }

    private mutating func entry(for input: String, _ kind: Offer.Kind) -> JSONValue {
        switch kind {
        case .secret:
            let isPassphrase = input != "words"
            let secret = isPassphrase ? Self.canaries[chance(70) ? 1 : 2] : Self.words
            return .string(simulation.keepSecret(secret).text)
        case .number where input == "nth":
            return chance(50) ? .integer(Int64.random(in: -1...3, using: &random)) : .null
        case .number: return .integer(Int64.random(in: 0...5_000_000_000, using: &random))
        // What a picture or a voice message is besides, its renderer finds out.
        case .media: return .null
        case .address: return someText(["http://localhost:1", "nonsense"])
        case .folder, .thing: return chance(50) ? .string("f1") : .null
        case .text where input == "code": return someText(["482913", "123456", "12", "999 999"])
        case .path: return someText(["/project", "/project", "hello"])
        case .text where input == "command": return someText(["opencode acp", "'"])
        case .text, .longText, .emoji, .file:
            let isApp = input == "text" && chance(40)
            return someText(
                isApp
                    ? ["apps/feeds", "apps/feeds-2", "apps/broken", "core.js"]
                    : ["", "hello", "../x", "👩‍👩‍👧", "\u{202E}x"])
        }
    }

    private mutating func someText(_ texts: [String]) -> JSONValue {
        .string(texts.randomElement(using: &random) ?? "")
    }

    // MARK: - The world, at its worst

    mutating func tell(_ event: Event) throws { try simulation.dispatch(.event(event)) }

    private mutating func answer(_ effect: Effect) throws {
        if chance(20) {
            let failure = Failure(
                Failure.Code.allCases.randomElement(using: &random) ?? .other, retryable: chance(50),
                retryAfter: chance(30) ? Int64.random(in: -5...100_000, using: &random) : nil)
            return try tell(.effectFailed(effect: effect.id, failure: failure))
        }
        switch effect.kind {
        case .createRoom:
            let expiresAt = simulation.now.advanced(bySeconds: Int64.random(in: -100...300, using: &random))
            try tell(.roomCreated(effect: effect.id, code: "123456", words: "made", expiresAt: expiresAt))
        case .joinRoom: try tell(.roomJoined(effect: effect.id, serverRoom: "joined"))
        case .watchRoom where chance(50): try tell(.roomWatching(effect: effect.id, on: chance(50)))
        case .checkRoom where chance(60): try tell(.roomPending(effect: effect.id))
        case .watchRoom, .checkRoom: try tell(.roomAccepted(effect: effect.id, serverRoom: "accepted"))
        case .openLink where chance(97): try report(on: effect.id)
        case .deliver: try tell(.acknowledged(effect: effect.id))
        case .meet:
            try tell(
                .memberMet(
                    effect: effect.id, role: chance(50) ? .creator : .joiner, device: "met", serverRoom: "met-here"))
        case .recordVoice: try answerForTheMicrophone(effect)
        case .sealByHand: try tell(.sealedByHand(effect: effect.id, handle: "sealed"))
        case .openByHand where chance(90):
            guard let room = simulation.world.rooms.order.randomElement(using: &random) else { return }
            try tell(
                .openedByHand(
                    effect: effect.id, room: room, message: MessageID("h\(UInt32.random(in: 0...30, using: &random))"),
                    sentAt: simulation.now, body: chance(80) ? .text("carried") : .trust, seal: nil))
        case .unlock where chance(20): try tell(.messagesMoved(effect: effect.id, done: 500, total: 1000))
        case .unlock where chance(30): try tell(.vaultRejected(effect: effect.id, retryAfter: 1000))
        case .unlock:
            let records = try simulation.core.records(whileLocked: false)
            try tell(.vaultUnlocked(effect: effect.id, records: records))
        case .readForSummary(nil, _):
            let text = CutText(chance(80) ? "said\u{202E}" : " ", omitted: chance(10) ? 7 : 0)
            let expiry = simulation.now.advanced(bySeconds: Int64.random(in: -100...300, using: &random))
            try tell(.summaryText(effect: effect.id, text: text, expiresAt: chance(30) ? expiry : nil))
        case .loadHistory, .findMessage, .findUnseen, .listReceived, .forgetHistory, .searchMessages, .readForSummary:
            guard let event = try simulation.core.history(for: effect.id) else { return }
            try tell(event)
        case .openNotes, .readNote, .writeNote, .searchNotes, .followNote, .listVersions, .readVersion,
            .exportNotes, .packNotes, .importNote:
            try answerAboutNotes(effect)
        case .openApps, .inspectApp, .installApp, .startApp: try answerAboutApps(effect)
        case .listAgentThreads(_, let folder) where chance(80):
            let threads = (0..<Int.random(in: 0...3, using: &random)).map {
                AgentThread(id: "t\($0)", title: chance(50) ? "said\u{202E}" : "", folder: folder, changedAt: nil)
            }
            try tell(.agentThreadsListed(effect: effect.id, threads: threads))
        case .readDevices where chance(80):
            let devices = (0..<Int.random(in: 0...3, using: &random)).map {
                ServedDevice(
                    id: "d\($0)", name: chance(50) ? "a\u{202E}phone" : "", pairedAt: simulation.now, lastSeen: nil)
            }
            try tell(.devicesRead(effect: effect.id, devices: devices))
        case .askOnDesktop where chance(60):
            try tell(.desktopAnswered(effect: effect.id, isAccepted: chance(70)))
        case .pairGateway where chance(60):
            try tell(
                .gatewayPaired(
                    effect: effect.id, url: "https://workstation:7643", fingerprint: nil,
                    token: SecretRef("token-\(effect.id.number)")))
        case .startAgentSession: try haveTheAgentDoSomething(effect.id)
        case .exportProfile where chance(80):
            try tell(.profileExported(effect: effect.id, handle: "archive", name: "alcove.backup", bytes: 1000))
        default: try tell(.effectDone(effect: effect.id))
        }
    }

    private mutating func report(on link: EffectID) throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9:
            let outcome: Verification = chance(3) ? .failed : chance(50) ? .verified : .unverified
            try tell(.verificationChanged(effect: link, outcome: outcome, safetyNumber: "11111 22222"))
        case 9: try tell(.peerRemembered(effect: link))
        default:
            let state = chance(60) ? .connected : LinkState.allCases.randomElement(using: &random) ?? .closed
            try tell(.linkChanged(effect: link, link: state, path: LinkPath.allCases.randomElement(using: &random)))
        }
    }

    private mutating func haveThePeerDoSomething() throws {
        if chance(20) { return try haveAnAppDoSomething() }
        guard let room = simulation.world.rooms.order.randomElement(using: &random) else { return }
        if chance(30) { return try simulation.change { $0.peerArrives(room) } }
        if chance(15) { return try haveThePeerShare(room) }
        if chance(15) { return try haveThePeerShareAgents(room) }
        let known = knownMessage(in: room)
        let fresh = MessageID("p\(UInt32.random(in: 0...300, using: &random))")
        switch Int.random(in: 0..<20, using: &random) {
        case 12..<17: try haveThePeerTrust(room, fresh)
        case 0..<3: try receive(room, fresh, .text("hi"))
        case 3: try receive(room, fresh, .file(FileOffer(name: "a", bytes: 100)))
        case 4: try receive(room, fresh, .lifetimeProposal(Lifetime.allCases.randomElement(using: &random) ?? .keep))
        case 17..<20: try haveThePeerChange(known, fresh, in: room)
        case 5: try receive(room, fresh, .lifetimeAnswer(proposal: known, accepted: chance(50)))
        case 6: try tell(.receipts(room: room, messages: [known]))
        case 7: try tell(.typingChanged(room: room, on: chance(70)))
        case 8: try tell(.fileProgress(room: room, message: known, bytes: 50))
        case 9: try tell(.fileFinished(room: room, message: known, path: "a"))
        case 10: try tell(.fileFailed(room: room, message: known, failure: Failure(.fileCorrupt)))
        default: try tell(.peerLeft(room: room, forever: chance(5)))
        }
    }

    private mutating func haveThePeerChange(_ known: MessageID, _ fresh: MessageID, in room: RoomID) throws {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try receive(room, fresh, .reply(to: known, text: "yes"))
        case 1:
            let emoji = ["\u{1F44D}", "no", "", nil].randomElement(using: &random) ?? nil
            try receive(room, fresh, .reaction(to: known, emoji: emoji))
        case 2, 3:
            let version = Int.random(in: -1...4, using: &random)
            try receive(room, fresh, .edit(of: known, version: version, text: chance(90) ? "changed" : ""))
        case 4: try receive(room, fresh, .deletion(of: known))
        default: try receive(room, fresh, .changeAnswer(change: known, accepted: chance(50)))
        }
    }

    private mutating func haveThePeerTrust(_ room: RoomID, _ fresh: MessageID) throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: try receive(room, fresh, .trust)
        case 4..<6:
            let fingerprint = "identity-\(UInt32.random(in: 0...9, using: &random))"
            try tell(.identityKnown(room: room, fingerprint: fingerprint, safetyNumber: "33333 44444"))
        case 6:
            let keys = Int.random(in: -5...2000, using: &random)
            let level = KeyState.Level.allCases.randomElement(using: &random) ?? .enough
            try tell(.keysChanged(room: room, ours: keys, theirs: keys, epoch: keys, level: level))
        case 7:
            let reason = Failure.Code.allCases.randomElement(using: &random) ?? .forged
            try tell(.sealedRefused(room: room, reason: reason))
        case 8: try simulation.change { $0.peerRevokes(room, isHeard: true) }
        default: if chance(30) { try tell(.trustRevoked(room: room)) }
        }
    }

    private mutating func receive(_ room: RoomID, _ message: MessageID, _ body: Body) throws {
        let sequence = UInt64.random(in: 1...300, using: &random)
        try tell(
            .messageReceived(
                room: room, message: message, sequence: sequence, sentAt: simulation.now, body: body,
                seal: Seal.allCases.randomElement(using: &random)))
    }

    /// A message that somebody sent, as the effects and events so far tell.
    private mutating func knownMessage(in room: RoomID) -> MessageID {
        let seq = Int.random(in: 0..<max(simulation.log.entries.count, 1), using: &random)
        guard simulation.log.entries.indices.contains(seq) else { return "none" }
        let entry = simulation.log.entries[seq]
        if case .event(.messageReceived(_, let message, _, _, _, _)) = entry.input.action { return message }
        for effect in entry.effects { if case .deliver(_, let message, _, _) = effect.kind { return message } }
        return simulation.world.rooms[room]?.proposal ?? "none"
    }
}
