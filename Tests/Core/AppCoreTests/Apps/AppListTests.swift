import AppCore
import Testing

/// The list of apps, and what the host tells of it.
@Suite struct AppListTests {
    @Test func theListComesAndChanges() throws {
        var driver = try TestDriver()
        try driver.listApps()
        #expect(driver.state.apps.list.map(\.id) == ["checklist.example", "feeds.example"])
        try driver.changeApps([.checklist.with { $0.name = "Zebra" }], removed: ["feeds.example"])
        #expect(driver.state.apps.list.map(\.name) == ["Zebra"])
        try driver.changeApps([.feeds])
        #expect(driver.state.apps.list.map(\.name) == ["Feed reader", "Zebra"])
        #expect(driver.disk.values.allSatisfy { !$0.contains("feeds") })
    }

    @Test func openingTwiceAsksOnce() throws {
        var driver = try TestDriver()
        try driver.apps(.openApps)
        try driver.apps(.openApps)
        #expect(driver.effects.isEmpty)
        try driver.app(.back)
        try driver.app(.navigate(to: Screen(.appsCore)))
        #expect(driver.open.count(where: { $0.kind.opensApps }) == 1)
    }

    @Test func whatAnOldOpeningSaysIsNotHeard() throws {
        var driver = try TestDriver()
        try driver.listApps()
        let old = try driver.waiting(\.opensApps)
        try driver.apps(.closeApps)
        #expect(driver.effects == [.closeApps])
        #expect(driver.state.apps == AppsState())
        try driver.apps(.openApps)
        try driver.event(.appsChanged(effect: old, apps: [.feeds], removed: []))
        #expect(driver.state.apps.list.isEmpty)
    }

    @Test func aLibraryThatIsAwayIsTriedAgain() throws {
        var driver = try TestDriver()
        try driver.apps(.openApps)
        try driver.fail(
            try driver.waiting(\.opensApps), Failure(.appsUnavailable, retryable: true, retryAfter: 5000))
        #expect(!driver.state.apps.isOpen)
        try driver.pass(seconds: 4)
        #expect(!driver.asked(\.opensApps))
        try driver.pass(seconds: 2)
        #expect(driver.asked(\.opensApps))
        try driver.fail(try driver.waiting(\.opensApps), Failure(.appsUnavailable))
        try driver.pass(seconds: 3600)
        #expect(!driver.state.apps.isOpen)
        try driver.tap("apps.retry")
        #expect(driver.asked(\.opensApps))
    }

    @Test func nothingRunsThatIsNotInstalled() throws {
        var driver = try TestDriver()
        try driver.component(.running)
        try driver.listApps([.checklist])
        try driver.component(.running)
        #expect(driver.state.apps.components.isEmpty)
        try driver.changeApps([.feeds])
        try driver.component(.running)
        try driver.apps(.showApp(app: "feeds.example"))
        #expect(driver.tree.find("component.i1.stop") != nil)
        try driver.changeApps(removed: ["feeds.example"])
        #expect(driver.state.apps.components.isEmpty)
        #expect(driver.tree.id == "apps")
    }

    @Test func whenTheListEndsNobodyKnowsWhatRuns() throws {
        var driver = try TestDriver()
        try driver.listApps()
        try driver.component(.running)
        try driver.fail(try driver.waiting(\.opensApps), Failure(.appsUnavailable))
        #expect(driver.state.apps.components.isEmpty)
        try driver.component(.running)
        #expect(driver.state.apps.components.isEmpty)
    }

    @Test func thereIsAnEndToWhatIsKept() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let long = String(repeating: "x", count: 10_000) + "\n\u{202E}"
        let request = AppRequest(
            capability: "log", words: long, details: Array(repeating: .other(text: long), count: 99), granted: true)
        let app = ListedApp.feeds.with {
            $0.name = long
            $0.about = long
            $0.bytes = -1
            $0.requests = [request, request]
            $0.commands = Array(repeating: AppCommand(name: long, component: long), count: 99)
        }
        let many = (0..<1100).map { ListedApp(id: AppID("a\($0).example"), name: "", version: "") }
        try driver.listApps([app] + many)
        #expect(driver.state.apps.list.count == AppsLimits.apps)
        let kept = try #require(driver.state.apps["feeds.example"])
        #expect(kept.name.utf8.count == AppsLimits.nameBytes && kept.bytes == 0)
        #expect(kept.requests.count == 1 && kept.requests[0].details.count == AppsLimits.details)
        guard case .other(let text) = kept.requests[0].details[0] else { return #expect(Bool(false), "another kind") }
        #expect(text.utf8.count == AppsLimits.nameBytes)
        #expect(kept.commands.count == AppsLimits.commands)
        for number in 0..<5000 { try driver.component(.running, InstanceID("i\(number)")) }
        #expect(driver.state.apps.components.count == AppsLimits.components)
        for _ in 0..<300 {
            try driver.event(
                .appLogged(app: "feeds.example", level: .info, component: nil, text: long, at: driver.now))
        }
        let lines = driver.state.apps.log(of: "feeds.example").lines
        #expect(lines.count == AppsLimits.logLines && lines[0].text.utf8.count == AppsLimits.logLineBytes)
    }

    @Test func whileLockedNothingOfAppsIsInReach() throws {
        var driver = try TestDriver()
        try driver.listApps()
        try driver.component(.running)
        try driver.apps(.revokeCapability(app: "feeds.example", capability: "network"))
        try driver.app(.setPassphrase(passphrase: "p", current: nil))
        try driver.done { if case .setPassphrase = $0 { true } else { false } }
        let effect = try driver.waiting(\.setsGrant)
        try driver.app(.lock)
        #expect(driver.asked { $0 == .closeApps })
        #expect(driver.state.apps == AppsState())
        try driver.apps(.openApps)
        #expect(driver.effects.isEmpty && driver.tree.id == "lock")
        try driver.app(.unlock(passphrase: "p"))
        let unlocking = try driver.waiting { if case .unlock = $0 { true } else { false } }
        try driver.event(.vaultUnlocked(effect: unlocking, records: driver.records { _ in true }))
        #expect(try driver.waiting(\.setsGrant) == effect, "asked for again, under its id")
    }

    @Test func aCoreIsChosenOnce() throws {
        var driver = try TestDriver()
        try driver.listApps()
        try driver.apps(.chooseCore(bundle: nil))
        #expect(driver.effects.isEmpty, "it is the built-in one already")
        try driver.apps(.chooseCore(bundle: "core.js"))
        #expect(driver.effects == [.startCore(bundle: "core.js")])
        try driver.apps(.chooseCore(bundle: "other.js"))
        #expect(driver.effects.isEmpty)
        try driver.event(.coreChanged(core: AppsCore(bundle: "core.js", state: .signedOut)))
        try driver.done(\.startsCore)
        #expect(driver.state.apps.core.bundle == "core.js")
        try driver.apps(.chooseCore(bundle: nil))
        #expect(driver.effects == [.startCore(bundle: nil)])
    }
}
