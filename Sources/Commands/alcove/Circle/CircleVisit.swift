import AppCore
import Catalogues
import Host

/// A moment together with one person: the link of the room, opened and waited for.
struct CircleVisit {
    let host: any ProfileHost
    let room: RoomID
    let patience: Duration

    static func options(patience: String = "2m") -> [Arguments.Option] {
        ProfileOptions.conversation + [
            .value("wait", "TIME", "how long to wait for the other person (default \(patience))")
        ]
    }

    init(_ host: any ProfileHost, _ room: Room, _ arguments: Arguments, patience: String = "2m") throws(UsageError) {
        self.host = host
        self.room = room.id
        let text = arguments["wait"] ?? patience
        guard let seconds = WrittenDuration.seconds(text) else {
            throw UsageError("--wait takes a time like 30s, 5m or 1h, not \"\(text)\"")
        }
        self.patience = .seconds(seconds)
    }

    /// Opens the link and waits until the other person is there, and the room is ready for what is to be done.
    func begin(_ what: String, until isReady: @escaping @Sendable (Room) -> Bool = \.isTalking) async throws {
        await host.dispatch(.app(.becameActive))
        await host.dispatch(.rooms(.openRoom(room: room)))
        let time = WrittenDuration.text(seconds: Int(patience.components.seconds))
        Terminal.log("waiting up to \(time) for the other person: \(what)")
        try await wait("the other person did not come; \(what)") { isReady($0) ? true : nil }
    }

    /// Waits until the room shows what is looked for, and no longer than the person wants to.
    func wait(_ otherwise: String, for look: @escaping @Sendable (Room) -> Bool?) async throws {
        let id = room
        let troubles = Task { await showTroubles() }
        defer { troubles.cancel() }
        let outcome: Result<Bool, CommandFailure>? = await host.wait(upTo: patience) { state in
            guard let room = state.rooms[id] else { return .failure(CommandFailure("the room is gone", .unavailable)) }
            if let found = look(room) { return .success(found) }
            if room.status.isOver {
                return .failure(CommandFailure("this room is over: \(room.status.rawValue)", .unavailable))
            }
            let problem = state.notices.last { $0.kind == .problem && ($0.room == id || $0.room == nil) }
            return problem.map { .failure(CommandFailure($0.sentence, .unavailable)) }
        }
        guard let outcome else {
            let trouble = await host.read { $0.rooms[id]?.live.linkFailure?.sentence }
            throw CommandFailure([trouble, otherwise].compactMap(\.self).joined(separator: "\n"), .temporaryFailure)
        }
        _ = try outcome.get()
    }

    /// Waits until the other side has what was sent, and no longer than the person wants to.
    /// - Returns: whether it has it.
    func delivers(_ body: Body) async -> Bool {
        let id = room
        return await host.wait(upTo: patience) { state -> Bool? in
            let isUnderWay = state.pendingEffects.contains {
                if case .deliver(id, _, body, _) = $0 { true } else { false }
            }
            return isUnderWay ? nil : true
        } ?? false
    }

    /// Says what keeps the two apart, each thing once, while it is tried again.
    private func showTroubles() async {
        var shown: Set<String> = []
        for await _ in await host.changes() {
            let sentence = await host.read { $0.rooms[room]?.live.linkFailure?.sentence }
            if let sentence, shown.insert(sentence).inserted { Terminal.log("\(sentence)") }
        }
    }
}
