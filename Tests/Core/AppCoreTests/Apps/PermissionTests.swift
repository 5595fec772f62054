import AppCore
import Testing

/// What an installed app may do.
@Suite struct PermissionTests {
    private let app: AppID = "feeds.example"

    private func stageWithAnApp() throws -> Stage {
        var stage = try Stage()
        try stage.listApps()
        try stage.apps(.showApp(app: app))
        return stage
    }

    @Test func whatIsTakenBackNeverShowsAsGranted() throws {
        var stage = try stageWithAnApp()
        #expect(stage.isOn("app.may.network") == true)
        try stage.tap("app.may.network")
        #expect(stage.effects == [.setGrant(app: app, capability: "network", on: false)])
        #expect(stage.isOn("app.may.network") == false)
        #expect(stage.tree.find("app.may.network")?.isEnabled == false)
        let effect = try stage.waiting(\.setsGrant)
        try stage.fail(effect, Failure(.appsBusy, retryable: true))
        #expect(stage.isOn("app.may.network") == false)
        try stage.restart()
        #expect(try stage.waiting(\.setsGrant) == effect)
        try stage.listApps()
        try stage.apps(.showApp(app: app))
        #expect(stage.isOn("app.may.network") == false)
        try stage.event(.effectDone(effect: effect))
        #expect(stage.isOn("app.may.network") == false)
        #expect(stage.tree.find("app.may.network")?.isEnabled == true)
    }

    @Test func whatIsGrantedShowsOnceItIs() throws {
        var stage = try stageWithAnApp()
        try stage.changeApps([.feeds.with { $0.requests = [.network()] }])
        try stage.tap("app.may.network")
        #expect(stage.isOn("app.may.network") == false)
        try stage.done(\.setsGrant)
        #expect(stage.isOn("app.may.network") == true)
    }

    @Test func aRefusalForGoodIsTold() throws {
        var stage = try stageWithAnApp()
        try stage.tap("app.may.network")
        try stage.fail(try stage.waiting(\.setsGrant), Failure(.storageFailed))
        // It was not taken back, and nobody shall think so.
        #expect(stage.isOn("app.may.network") == true)
        #expect(stage.text.contains("cannot be written"))
    }

    @Test func onlyWhatIsAskedForIsGranted() throws {
        var stage = try stageWithAnApp()
        for action in [
            AppsAction.grantCapability(app: app, capability: "mail"), .grantCapability(app: app, capability: "network"),
            .revokeCapability(app: "checklist.example", capability: "network"),
        ] {
            try stage.apps(action)
            #expect(stage.effects.isEmpty, "\(action)")
        }
    }

    @Test func onlyWhatIsPossibleGoesOnInTheBackground() throws {
        var stage = try stageWithAnApp()
        try stage.apps(.setBackground(app: app, strategy: .push))
        #expect(stage.effects.isEmpty)
        try stage.tap("app.background.periodic")
        #expect(stage.effects == [.setBackground(app: app, strategy: .periodic)])
        try stage.apps(.setBackground(app: app, strategy: .foreground))
        #expect(stage.effects.isEmpty)
        try stage.done { if case .setBackground = $0 { true } else { false } }
        #expect(stage.state.apps[app]?.background == .periodic)
        #expect(stage.isOn("app.background.periodic") == true)
    }
}
