import AppCore
import Host

/// The profile's log of what agents were allowed, for answers that are given at a gateway.
struct GatewayLog {
    let agent: AgentID
    /// The folder that is served.
    let folder: String
    let arguments: Arguments

    /// Writes down what became of a request.
    ///
    /// Nobody is asked for a passphrase meanwhile, because the answer may come while somebody else types.
    /// - Throws: ``CommandFailure`` if the profile is locked, or in use by a program that lends it to nobody.
    func write(_ verdict: AgentVerdict, _ call: AgentCall, of session: String) async throws(CommandFailure) {
        let decision = AgentAction.noteDecision(
            agent: agent, session: AgentSessionID(session), folder: folder, verdict: verdict, call: call)
        do {
            try await ProfileOptions.attached(
                arguments, unlocks: arguments["passphrase-file"] != nil, front: false
            ) { host in
                guard await !host.read({ $0.lock.isLocked }) else {
                    throw CommandFailure(
                        "the profile is locked; open it with alcove open or alcove host", .noPermission)
                }
                await host.dispatch(.agents(decision))
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("\(error)", .unavailable)
        }
    }
}
