import AppCore
import Catalogues
import Host

/// Waiting for what becomes of something carried by hand.
enum HandCarried {
    /// Asks the core, and waits until it is done.
    /// - Parameter look: what came of it; nil if nothing shows, and the core's newest notice says why.
    static func outcome<Value: Sendable>(
        on host: any ProfileHost, _ action: Action,
        _ look: @escaping @Sendable (AppState) -> Result<Value, CommandFailure>?
    ) async throws(CommandFailure) -> Value {
        let last = await host.read { $0.notices.last?.id }
        await host.dispatch(action)
        let outcome: Result<Value, CommandFailure>? = await host.wait(upTo: .seconds(30)) { state in
            guard !state.pendingEffects.byID.values.contains(where: \.isHandCarried) else { return nil }
            if let found = look(state) { return found }
            let reason = state.notices.last.flatMap { $0.id == last ? nil : $0.sentence }
            return .failure(CommandFailure(reason ?? "nothing came of it", .dataError))
        }
        guard let outcome else {
            // A later result would have used up a key without anybody knowing.
            await host.giveUpHandCarried()
            throw CommandFailure("the profile did not answer in time; nothing came of it, try again", .temporaryFailure)
        }
        return try outcome.get()
    }
}
