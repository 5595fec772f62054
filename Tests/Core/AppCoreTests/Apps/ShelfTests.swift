import AppCore
import Testing

/// The list of apps, and what the wing tells of it.
@Suite struct ShelfTests {
    @Test func theListComesAndChanges() throws {
        var stage = try Stage()
        try stage.listApps()
        #expect(stage.state.apps.list.map(\.id) == ["checklist.example", "feeds.example"])
        try stage.changeApps([.checklist.with { $0.name = "Zebra" }], removed: ["feeds.example"])
        #expect(stage.state.apps.list.map(\.name) == ["Zebra"])
        try stage.changeApps([.feeds])
        #expect(stage.state.apps.list.map(\.name) == ["Feed reader", "Zebra"])
        #expect(stage.disk.values.allSatisfy { !$0.contains("feeds") })
    }

    @Test func openingTwiceAsksOnce() throws {
        var stage = try Stage()
        try stage.apps(.openApps)
        try stage.apps(.openApps)
        #expect(stage.effects.isEmpty)
        try stage.app(.back)
        try stage.app(.navigate(to: Screen(.appsCore)))
        #expect(stage.open.count(where: { $0.kind.opensApps }) == 1)
    }

    @Test func whatAnOldOpeningSaysIsNotHeard() throws {
        var stage = try Stage()
        try stage.listApps()
        let old = try stage.waiting(\.opensApps)
        try stage.apps(.closeApps)
        #expect(stage.effects == [.closeApps])
        #expect(stage.state.apps == AppsState())
        try stage.apps(.openApps)
        try stage.event(.appsChanged(effect: old, apps: [.feeds], removed: []))
        #expect(stage.state.apps.list.isEmpty)
    }

    @Test func aLibraryThatIsAwayIsTriedAgain() throws {
        var stage = try Stage()
        try stage.apps(.openApps)
        try stage.fail(
            try stage.waiting(\.opensApps), Failure(.appsUnavailable, retryable: true, retryAfter: 5000))
        #expect(!stage.state.apps.isOpen)
        try stage.pass(seconds: 4)
        #expect(!stage.asked(\.opensApps))
        try stage.pass(seconds: 2)
        #expect(stage.asked(\.opensApps))
        try stage.fail(try stage.waiting(\.opensApps), Failure(.appsUnavailable))
        try stage.pass(seconds: 3600)
        #expect(!stage.state.apps.isOpen)
        try stage.tap("apps.retry")
        #expect(stage.asked(\.opensApps))
    }

    @Test func nothingRunsThatIsNotInstalled() throws {
        var stage = try Stage()
        try stage.component(.running)
        try stage.listApps([.checklist])
        try stage.component(.running)
        #expect(stage.state.apps.components.isEmpty)
        try stage.changeApps([.feeds])
        try stage.component(.running)
        try stage.apps(.showApp(app: "feeds.example"))
        #expect(stage.tree.find("component.i1.stop") != nil)
        try stage.changeApps(removed: ["feeds.example"])
        #expect(stage.state.apps.components.isEmpty)
        #expect(stage.tree.id == "apps")
    }

    @Test func whenTheListEndsNobodyKnowsWhatRuns() throws {
        var stage = try Stage()
        try stage.listApps()
        try stage.component(.running)
        try stage.fail(try stage.waiting(\.opensApps), Failure(.appsUnavailable))
        #expect(stage.state.apps.components.isEmpty)
        try stage.component(.running)
        #expect(stage.state.apps.components.isEmpty)
    }

    @Test func thereIsAnEndToWhatIsKept() throws {
        var stage = try Stage()
        stage.keepsStates = false
        let long = String(repeating: "x", count: 10_000) + "\n\u{202E}"
        let request = AppRequest(
            capability: "log", words: long, details: Array(repeating: long, count: 99), granted: true)
        let app = ListedApp.feeds.with {
            $0.name = long
            $0.about = long
            $0.bytes = -1
            $0.requests = [request, request]
            $0.commands = Array(repeating: AppCommand(name: long, component: long), count: 99)
        }
        let many = (0..<1100).map { ListedApp(id: AppID("a\($0).example"), name: "", version: "") }
        try stage.listApps([app] + many)
        #expect(stage.state.apps.list.count == AppsLimits.apps)
        let kept = try #require(stage.state.apps["feeds.example"])
        #expect(kept.name.utf8.count == AppsLimits.nameBytes && kept.bytes == 0)
        #expect(kept.requests.count == 1 && kept.requests[0].details.count == AppsLimits.details)
        #expect(kept.commands.count == AppsLimits.commands)
        for number in 0..<5000 { try stage.component(.running, InstanceID("i\(number)")) }
        #expect(stage.state.apps.components.count == AppsLimits.components)
        for _ in 0..<300 {
            try stage.event(
                .appLogged(app: "feeds.example", level: .info, component: nil, text: long, at: stage.now))
        }
        let lines = stage.state.apps.log(of: "feeds.example").lines
        #expect(lines.count == AppsLimits.logLines && lines[0].text.utf8.count == AppsLimits.logLineBytes)
    }

    @Test func whileLockedNothingOfAppsIsInReach() throws {
        var stage = try Stage()
        try stage.listApps()
        try stage.component(.running)
        try stage.apps(.revokeCapability(app: "feeds.example", capability: "network"))
        try stage.app(.setPassphrase(passphrase: "p", current: nil))
        try stage.done { if case .setPassphrase = $0 { true } else { false } }
        let effect = try stage.waiting(\.setsGrant)
        try stage.app(.lock)
        #expect(stage.asked { $0 == .closeApps })
        #expect(stage.state.apps == AppsState())
        try stage.apps(.openApps)
        #expect(stage.effects.isEmpty && stage.tree.id == "lock")
        try stage.app(.unlock(passphrase: "p"))
        let unlocking = try stage.waiting { if case .unlock = $0 { true } else { false } }
        try stage.event(.vaultUnlocked(effect: unlocking, records: stage.records { _ in true }))
        #expect(try stage.waiting(\.setsGrant) == effect, "asked for again, under its id")
    }

    @Test func aCoreIsChosenOnce() throws {
        var stage = try Stage()
        try stage.listApps()
        try stage.apps(.chooseCore(bundle: nil))
        #expect(stage.effects.isEmpty, "it is the built-in one already")
        try stage.apps(.chooseCore(bundle: "core.js"))
        #expect(stage.effects == [.startCore(bundle: "core.js")])
        try stage.apps(.chooseCore(bundle: "other.js"))
        #expect(stage.effects.isEmpty)
        try stage.event(.coreChanged(core: AppsCore(bundle: "core.js", state: .signedOut)))
        try stage.done(\.startsCore)
        #expect(stage.state.apps.core.bundle == "core.js")
        try stage.apps(.chooseCore(bundle: nil))
        #expect(stage.effects == [.startCore(bundle: nil)])
    }
}
