/// Whether a STUN or TURN server works, as far as somebody asked. It is not kept.
package struct IceServerCheck: Sendable, Hashable, Codable {
    /// The server that was tried, with one address.
    package let server: IceServer
    /// The trial that is under way.
    package var effect: EffectID?
    /// When the last one ended.
    package var at: Timestamp?
    /// What was wrong.
    package var failure: Failure?
}

extension IceServerLimits {
    /// Addresses that are tried at once. A connection uses fewer: one of STUN and eight of TURN.
    package static let checked = 16
}

extension AppState {
    /// Tries each address, one trial of each at a time.
    mutating func checkIceServers(_ context: inout DispatchContext) {
        guard !lock.isLocked else { return }
        var checks: [IceServerCheck] = []
        for server in settings.usedIceServers.flatMap(\.addresses).prefix(IceServerLimits.checked) {
            guard !checks.contains(where: { $0.server == server }) else { continue }
            let underWay = iceServerChecks?.first { $0.server == server && $0.effect != nil }
            let effect = underWay?.effect ?? issue(.checkIceServer(server: server), &context)
            checks.append(IceServerCheck(server: server, effect: effect))
        }
        iceServerChecks = checks.isEmpty ? nil : checks
    }

    mutating func iceServerChecked(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard let index = iceServerChecks?.firstIndex(where: { $0.effect == effect }) else { return }
        iceServerChecks?[index].effect = nil
        iceServerChecks?[index].at = context.now
        iceServerChecks?[index].failure = failure
    }
}
