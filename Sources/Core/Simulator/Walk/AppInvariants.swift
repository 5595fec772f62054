import AppCore

/// What a person was promised about apps, followed from step to step: nothing runs that is not installed, what was taken back is
/// not shown as granted, and an answer counts once.
struct AppInvariants: Sendable {
    /// What was taken back and has not been granted or told anew since.
    private var revoked: Set<Grant> = []
    /// Installations that somebody agreed to.
    private var agreed: Set<EffectID>

    private struct Grant: Sendable, Hashable {
        let app: AppID
        let capability: CapabilityName
    }

    init(_ core: any SimulatedCore) throws {
        // What is on the disk was agreed to before.
        let records = try core.records(whileLocked: false)
        agreed = Set(records.compactMap { if case .effect(let id) = $0.key { id } else { nil } })
    }

    /// Looks at what the last step led to.
    mutating func follow(_ entries: [Log.Entry], _ core: any SimulatedCore) throws {
        for entry in entries {
            // An installation that failed for now is asked for again, under its id.
            let installs = entry.effects.filter { $0.kind.installs && agreed.insert($0.id).inserted }
            switch entry.input.action {
            case .apps(.answerInstall):
                guard installs.count <= 1 else { throw Fault("one answer installs twice", isOfCore: false) }
            default:
                guard installs.isEmpty else { throw Fault("an app is installed and nobody agreed", isOfCore: false) }
            }
            follow(entry)
        }
        guard let core = core as? BuiltInCore else { return }
        let state = core.driver.state
        if state.lock.isLocked {
            guard state.apps == AppsState() else { throw Fault("a locked core knows of apps", isOfCore: false) }
            return
        }
        for component in state.apps.components where state.apps[component.app] == nil {
            throw Fault("\(component.id) runs, and its app is not installed", isOfCore: false)
        }
        for grant in revoked where state.isGranted(grant.capability, to: grant.app) {
            throw Fault("\(grant.capability) was taken back and counts as granted", isOfCore: false)
        }
    }

    private mutating func follow(_ entry: Log.Entry) {
        for effect in entry.effects {
            guard case .setGrant(let app, let capability, let on) = effect.kind else { continue }
            let grant = Grant(app: app, capability: capability)
            if on { revoked.remove(grant) } else { revoked.insert(grant) }
        }
        switch entry.input.action {
        // The library has the last word: what it tells, and what it refuses.
        case .event(.appsListed), .event(.appsChanged), .event(.effectFailed), .event(.started), .app(.eraseAll):
            revoked = []
        default: break
        }
    }
}

extension Effect.Kind {
    fileprivate var installs: Bool { if case .installApp = self { true } else { false } }
}
