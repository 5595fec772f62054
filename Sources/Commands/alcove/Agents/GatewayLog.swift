import AppCore
import Host

/// The profile's log of what agents were allowed, for answers that are given at a gateway.
///
/// Entries are written one after the other, beside the questions: the next one is asked also while a profile is slow to open.
actor GatewayLog {
    /// Entries that wait to be written.
    private static let waitingLimit = 1024
    /// How long the end of the gateway waits for the last of them.
    private static let patience = Duration.seconds(10)

    private let agent: AgentID
    /// The folder that is served.
    let folder: String
    private let arguments: Arguments
    private var waiting: [(session: AgentSessionID, decision: AgentDecision)] = []
    private var isWriting = false
    private var lost = 0
    private var tell: @Sendable (String) async -> Void = { _ in }

    init(agent: AgentID, folder: String, arguments: Arguments) {
        (self.agent, self.folder, self.arguments) = (agent, folder, arguments)
    }

    /// - Parameter tell: hears of what could not be written.
    func complain(_ tell: @escaping @Sendable (String) async -> Void) { self.tell = tell }

    /// Has it written down what became of a request.
    func write(_ verdict: AgentVerdict, _ call: AgentCall, of session: String) {
        guard waiting.count < Self.waitingLimit else {
            lost += 1
            return
        }
        waiting.append((AgentSessionID(session), AgentDecision(verdict, call)))
        guard !isWriting else { return }
        isWriting = true
        Task { await writeAll() }
    }

    /// Waits for what is to be written, and says what was not.
    func finish() async {
        let deadline = ContinuousClock.now + Self.patience
        while isWriting, .now < deadline { try? await Task.sleep(for: .milliseconds(20)) }
        let missing = lost + waiting.count
        if missing > 0 { await tell("\(missing) answers are not in the log of what agents were allowed") }
    }

    private func writeAll() async {
        while let (session, decision) = waiting.first {
            do { try await write(decision, in: session) } catch {
                await tell(
                    "\"\(decision.title)\" is not in the log of what agents were allowed: \(ErrorWords.sentence(error))"
                )
            }
            waiting.removeFirst()
        }
        isWriting = false
    }

    /// The profile is not unlocked for this: whoever locked it would find it open because a device far away asked for something.
    private func write(_ decision: AgentDecision, in session: AgentSessionID) async throws {
        let (agent, folder) = (agent, folder)
        try await ProfileOptions.attached(arguments, unlocks: false, front: false) { host in
            guard await !host.read({ $0.lock.isLocked }) else {
                throw CommandFailure(
                    "the profile is locked; open it with alcove open or alcove host run", .noPermission)
            }
            await host.dispatch(
                .agents(.noteDecision(agent: agent, session: session, folder: folder, decision: decision)))
            let isThere = await host.read { state in
                state.talks.log.entries.suffix(64).contains { $0.session == session && $0.decision == decision }
            }
            guard isThere else { throw CommandFailure("the agent is not in the profile any more", .unavailable) }
        }
    }
}
