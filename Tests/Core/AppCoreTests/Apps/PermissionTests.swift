import AppCore
import Testing

/// What an installed app may do.
@Suite struct PermissionTests {
    private let app: AppID = "feeds.example"

    private func driverWithAnApp() throws -> TestDriver {
        var driver = try TestDriver()
        try driver.listApps()
        try driver.apps(.showApp(app: app))
        return driver
    }

    @Test func whatIsTakenBackNeverShowsAsGranted() throws {
        var driver = try driverWithAnApp()
        #expect(driver.isOn("app.may.network") == true)
        try driver.tap("app.may.network")
        #expect(driver.effects == [.setGrant(app: app, capability: "network", on: false)])
        #expect(driver.isOn("app.may.network") == false)
        #expect(driver.tree.find("app.may.network")?.isEnabled == false)
        let effect = try driver.waiting(\.setsGrant)
        try driver.fail(effect, Failure(.appsBusy, retryable: true))
        #expect(driver.isOn("app.may.network") == false)
        try driver.restart()
        #expect(try driver.waiting(\.setsGrant) == effect)
        try driver.listApps()
        try driver.apps(.showApp(app: app))
        #expect(driver.isOn("app.may.network") == false)
        try driver.event(.effectDone(effect: effect))
        #expect(driver.isOn("app.may.network") == false)
        #expect(driver.tree.find("app.may.network")?.isEnabled == true)
    }

    @Test func whatIsGrantedShowsOnceItIs() throws {
        var driver = try driverWithAnApp()
        try driver.changeApps([.feeds.with { $0.requests = [.network()] }])
        try driver.tap("app.may.network")
        #expect(driver.isOn("app.may.network") == false)
        try driver.done(\.setsGrant)
        #expect(driver.isOn("app.may.network") == true)
    }

    @Test func aRefusalForGoodIsTold() throws {
        var driver = try driverWithAnApp()
        try driver.tap("app.may.network")
        try driver.fail(try driver.waiting(\.setsGrant), Failure(.storageFailed))
        // It was not taken back, and nobody shall think so.
        #expect(driver.isOn("app.may.network") == true)
        #expect(driver.text.contains("cannot be written"))
    }

    @Test func onlyWhatIsAskedForIsGranted() throws {
        var driver = try driverWithAnApp()
        for action in [
            AppsAction.grantCapability(app: app, capability: "mail"), .grantCapability(app: app, capability: "network"),
            .revokeCapability(app: "checklist.example", capability: "network"),
        ] {
            try driver.apps(action)
            #expect(driver.effects.isEmpty, "\(action)")
        }
    }

    @Test func onlyWhatIsPossibleGoesOnInTheBackground() throws {
        var driver = try driverWithAnApp()
        try driver.apps(.setBackground(app: app, strategy: .push))
        #expect(driver.effects.isEmpty)
        try driver.tap("app.background.periodic")
        #expect(driver.effects == [.setBackground(app: app, strategy: .periodic)])
        try driver.apps(.setBackground(app: app, strategy: .foreground))
        #expect(driver.effects.isEmpty)
        try driver.done { if case .setBackground = $0 { true } else { false } }
        #expect(driver.state.apps[app]?.background == .periodic)
        #expect(driver.isOn("app.background.periodic") == true)
    }
}
