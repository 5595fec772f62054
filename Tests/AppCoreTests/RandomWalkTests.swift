import AppCore
import Foundation
import Testing

/// A person who taps whatever is offered, in a world that answers as it likes.
@Suite struct RandomWalkTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func nothingTrapsAndNothingIsLost(seed: UInt64) throws {
        var walk = try Walk(seed: seed)
        for step in 0..<2000 {
            try walk.step()
            walk.draw()
            if step % 20 == 0 { try walk.checkInvariants() }
        }
        try walk.answerEverything()
        try walk.checkReplay()
    }
}

private struct Walk {
    private var stage: Stage
    private var random: SeededGenerator
    /// Who answers an effect more than once, or late, does no harm: some old effects to answer again.
    private var old: [Effect] = []
    private var display = Display(showing: Core().tree)

    init(seed: UInt64) throws {
        stage = try Stage()
        stage.keepsStates = false
        random = SeededGenerator(seed: seed)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func step() throws {
        old = Array((old + stage.outcome.effects).suffix(50))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50: try tapSomething()
        case 50..<75: if let effect = stage.open.randomElement(using: &random) { try answer(effect) }
        case 75..<90: try haveThePeerDoSomething()
        case 90..<93: try stage.pass(seconds: Int64.random(in: 0..<90, using: &random))
        case 93..<96: if let effect = old.randomElement(using: &random) { try answer(effect) }
        case 96: try stage.app(chance(50) ? .becameActive : .becameInactive)
        case 97: try stage.event(.reachabilityChanged(online: chance(60)))
        case 98: if chance(5) { try stage.app(.eraseAll) }
        default: try stage.app(.becameActive)
        }
    }

    /// A renderer does only what a diff tells it, and shows what the tree is.
    mutating func draw() {
        display.apply(TreeDiff(from: display.tree, to: stage.tree))
        #expect(display.shown == stage.tree)
        display.tree = stage.tree
    }

    // MARK: - The person

    private mutating func tapSomething() throws {
        // Erasing everything ends every interesting story.
        let nodes = stage.tree.all.filter { !$0.offers.isEmpty && !$0.id.hasSuffix(".erase") }
        guard let node = nodes.randomElement(using: &random), let offer = node.offers.randomElement(using: &random)
        else { return }
        let before = stage.state
        try stage.dispatch(try fill(offer))
        let didSomething = stage.state != before || !stage.effects.isEmpty
        if offer.inputs.isEmpty { #expect(didSomething, "\(node.id) is offered and does nothing") }
    }

    /// Puts what the person enters into the keys that the offer names, as every renderer does.
    private mutating func fill(_ offer: Offer) throws -> Action {
        guard !offer.inputs.isEmpty else { return offer.action }
        let json = try JSONSerialization.jsonObject(with: Data(try JSON.encode(offer.action)))
        var object = try #require(json as? [String: Any])
        for input in offer.inputs { object[input] = entry(for: input) }
        return try JSON.decode(Action.self, from: try JSONSerialization.data(withJSONObject: object))
    }

    private mutating func entry(for input: String) -> Any {
        switch input {
        case "bytes": Int.random(in: 0...5_000_000_000, using: &random)
        case "code": ["482913", "12", "999 999"].randomElement(using: &random) ?? ""
        case "url": ["http://localhost:1", "nonsense"].randomElement(using: &random) ?? ""
        case "words", "passphrase", "current": "secret-\(UInt16.random(in: 0...9, using: &random))"
        default: ["", "hello", "../x", "👩‍👩‍👧", "\u{202E}x"].randomElement(using: &random) ?? ""
        }
    }

    // MARK: - The world

    private mutating func answer(_ effect: Effect) throws {
        if chance(20) {
            let failure = Failure(
                Failure.Code.allCases.randomElement(using: &random) ?? .other, retryable: chance(50),
                retryAfter: chance(30) ? Int64.random(in: -5...100_000, using: &random) : nil)
            return try stage.event(.effectFailed(effect: effect.id, failure: failure))
        }
        switch effect.kind {
        case .createRoom:
            let expiresAt = stage.now.advanced(bySeconds: Int64.random(in: -100...300, using: &random))
            try stage.event(.roomCreated(effect: effect.id, code: "123456", words: "made", expiresAt: expiresAt))
        case .joinRoom: try stage.event(.roomJoined(effect: effect.id, serverRoom: "joined"))
        case .watchRoom where chance(50): try stage.event(.roomWatching(effect: effect.id, on: chance(50)))
        case .checkRoom where chance(60): try stage.event(.roomPending(effect: effect.id))
        case .watchRoom, .checkRoom: try stage.event(.roomAccepted(effect: effect.id, serverRoom: "accepted"))
        case .openLink where chance(97): try report(on: effect.id)
        case .deliver: try stage.event(.acknowledged(effect: effect.id))
        case .unlock where chance(30): try stage.event(.vaultRejected(effect: effect.id, retryAfter: 1000))
        case .unlock: try stage.event(.vaultUnlocked(effect: effect.id, records: stage.records { _ in true }))
        default: try stage.event(.effectDone(effect: effect.id))
        }
    }

    private mutating func report(on link: EffectID) throws {
        if chance(50) {
            let outcome: Verification = chance(3) ? .failed : chance(50) ? .verified : .unverified
            try stage.event(.verificationChanged(effect: link, outcome: outcome, safetyNumber: "11111 22222"))
        } else {
            let state = chance(60) ? .connected : LinkState.allCases.randomElement(using: &random) ?? .closed
            try stage.event(
                .linkChanged(effect: link, link: state, path: LinkPath.allCases.randomElement(using: &random)))
        }
    }

    private mutating func haveThePeerDoSomething() throws {
        guard let room = stage.state.rooms.randomElement(using: &random) else { return }
        let known = room.messages.all.randomElement(using: &random)?.id ?? "none"
        let fresh = MessageID("p\(UInt32.random(in: 0...300, using: &random))")
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: try stage.receive(room.id, fresh, .text("hi"))
        case 3: try stage.receive(room.id, fresh, .file(FileOffer(name: "a", bytes: 100)))
        case 4:
            let lifetime = Lifetime.allCases.randomElement(using: &random) ?? .keep
            try stage.receive(room.id, fresh, .lifetimeProposal(lifetime))
        case 5:
            let proposal = room.outgoingProposal?.id ?? known
            try stage.receive(room.id, fresh, .lifetimeAnswer(proposal: proposal, accepted: chance(50)))
        case 6: try stage.event(.receipts(room: room.id, messages: [known]))
        case 7: try stage.event(.typingChanged(room: room.id, on: chance(70)))
        case 8: try stage.event(.fileProgress(room: room.id, message: known, bytes: 50))
        case 9: try stage.event(.fileFinished(room: room.id, message: known, path: "a"))
        case 10: try stage.event(.fileFailed(room: room.id, message: known, failure: Failure(.fileCorrupt)))
        default: try stage.event(.peerLeft(room: room.id, forever: chance(5)))
        }
    }

    // MARK: - What must hold

    func checkInvariants() throws {
        #expect(stage.tree == Core(state: stage.state).tree, "what is kept between trees does not show")
        let nodes = stage.tree.all
        #expect(Set(nodes.map(\.id)).count == nodes.count, "ids are unique")
        let controls: Set<SemanticNode.Role> = [.button, .toggle, .choice, .textField, .secretField]
        #expect(nodes.allSatisfy { $0.isEnabled || ($0.offers.isEmpty && !$0.isFocused) })
        #expect(nodes.allSatisfy { !controls.contains($0.role) || $0.isEnabled != $0.offers.isEmpty })
        #expect(nodes.allSatisfy { controls.contains($0.role) || $0.role == .item || $0.offers.isEmpty })
        #expect(nodes.allSatisfy { $0.label.contains { !$0.isWhitespace } }, "who cannot see hears every label")
        #expect(nodes.count(where: \.isFocused) <= 1)
        let ways = nodes.contains { $0.id == "back" || $0.id == "lock" || $0.id == "rooms" || $0.id == "cover" }
        #expect(ways, "no screen without a way back")
        guard !stage.state.lock.isLocked else { return }
        var expected: [String: String] = [:]
        var keys: [RecordKey] = stage.open.map { .effect($0.id) }
        for room in stage.state.rooms {
            keys.append(.room(room.id))
            keys += room.messages.all.map { .message(room.id, $0.id) }
        }
        for key in keys {
            expected[key.path] = try stage.core.record(for: key).map { String(decoding: $0, as: UTF8.self) }
        }
        let saved = stage.disk.filter { $0.key.contains("/") }
        for path in Set(expected.keys).union(saved.keys) where expected[path] != saved[path] {
            Issue.record("\(path) on disk is not what the state says: \(saved[path] ?? "-") \(expected[path] ?? "-")")
        }
    }

    /// Every effect that is not meant to last can be answered, and then nothing is left open.
    mutating func answerEverything() throws {
        try stage.app(.becameActive)
        for _ in 0..<1000 {
            let short = stage.open.filter { effect in
                switch effect.kind {
                case .openLink, .watchRoom, .schedule: false
                default: true
                }
            }
            guard let effect = short.first else { return }
            try stage.event(.effectFailed(effect: effect.id, failure: Failure(.other)))
        }
        Issue.record("effects are open that no answer closes: \(stage.open)")
    }

    func checkReplay() throws {
        var replay = Core()
        for input in stage.trace { _ = replay.dispatch(try JSON.decode(Input.self, from: try JSON.encode(input))) }
        #expect(try JSON.encode(replay.state) == JSON.encode(stage.state))
    }
}
