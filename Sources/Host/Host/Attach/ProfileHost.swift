package import AppCore

/// A host as its users see it: in this process, or in the host process of the profile.
package protocol ProfileHost: Sendable {
    /// Reads something from the state.
    func read<Value: Sendable>(_ look: @Sendable (AppState) throws -> Value) async rethrows -> Value
    /// The user's view.
    var view: ViewID { get async }
    /// One step, in the user's view.
    func dispatch(_ action: Action) async
    /// Several steps.
    func dispatch(_ actions: [Action]) async
    /// A signal after each step; several steps may be signalled at once. It ends with the host.
    func changes() async -> AsyncStream<Void>
    /// What is on the user's screen now.
    var tree: SemanticNode { get async }
    /// The text behind a reference that the tree or the state shows; `nil` if it is not known (any more).
    func secret(_ ref: SecretRef) async -> String?
    /// A session with an agent, with its items from one on and those that changed since a time; `nil` if it is gone, or nobody can say.
    func talk(_ session: AgentSessionID, from item: Int, since time: Timestamp) async -> AgentTalk?
    /// Puts a secret away for the core to refer to.
    func keep(secret: String) async throws -> SecretRef
    /// Holds a secret for the next action that refers to it.
    func hold(secret: String) async throws -> SecretRef
    /// From now on only what ``saw(_:in:)`` says counts as seen in the user's view.
    func tellSeen() async
    /// The messages of a room up to this one have been on the screen.
    func saw(_ message: MessageID, in room: RoomID) async
    /// Gives up what is being sealed or opened by hand, because nothing waits for it any more.
    func giveUpHandCarried() async
    /// How many one-time keys are left in a room.
    /// - Throws: ``Failure``.
    func keysLeft(in room: RoomID) async throws -> KeysLeft
    /// The signed notice that trust was revoked here; `nil` if the other person revoked it.
    /// - Throws: ``Failure``.
    func revocationNotice(_ room: RoomID) async throws -> [UInt8]?
    /// Seals any bytes for the other person of a room, at most ``AppHost/sealedFileLimit``.
    /// - Throws: ``Failure``.
    func sealFile(_ content: [UInt8], for room: RoomID) async throws -> [UInt8]
    /// Opens such a file. When `store` has returned, its key is destroyed.
    /// - Throws: ``Failure``, and what `store` throws; then the file can be opened again.
    func openFile(_ bytes: [UInt8], store: @Sendable ([UInt8]) throws -> Void) async throws -> (
        room: RoomID, seal: Seal
    )
    /// What happened in the last stretch of the run; with content, what the profile holds now. `nil` if nothing was recorded.
    func recorded(withContent: Bool) async throws -> RecordedFlight?
    /// Why nothing more comes of it; `nil` while something may.
    var ending: String? { get async }
    /// Ends the use: a host in this process stops, the host process goes on.
    func stop() async
}

extension ProfileHost {
    package var view: ViewID { get async { .main } }

    package func talk(_ session: AgentSessionID, from item: Int, since time: Timestamp) async -> AgentTalk? {
        await read { $0.talks[session]?.part(from: item, since: time) }
    }

    /// Waits until the state shows what is looked for.
    /// - Returns: nil if it did not within the time limit, or the host ended.
    package func wait<Value: Sendable>(
        upTo limit: Duration, for look: @escaping @Sendable (AppState) -> Value?
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask {
                for await _ in await changes() { if let found = await read(look) { return found } }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}

extension AppHost: ProfileHost {
    package func hold(secret: String) async throws -> SecretRef { pass(secret: secret) }

    package func tellSeen() async { dispatch(.app(.tellSeen)) }
    package func saw(_ message: MessageID, in room: RoomID) async { dispatch(.app(.seen(room: room, upTo: message))) }

    /// It ends with its process.
    package var ending: String? { nil }

    package func recorded(withContent: Bool) async throws -> RecordedFlight? {
        await flight.flush()
        return try withContent ? RecordedFlight.present(profile) : RecordedFlight(profile.flightParts())
    }
}
