import AppCore
import Testing

/// Windows of apps: asked for, told to who asked, closed.
@Suite struct AppWindowTests {
    private let app: AppID = "checklist.example"

    private func driverWithAWindow() throws -> TestDriver {
        var driver = try TestDriver()
        let windows = [
            AppWindow(name: "Lists", component: "/index.html"), AppWindow(name: "", component: "/more.html"),
        ]
        try driver.listApps([.feeds, .checklist.with { $0.windows = windows }])
        return driver
    }

    @Test func aWindowIsAskedForOnceAndShownToWhoAsked() throws {
        var driver = try driverWithAWindow()
        try driver.tap("app.checklist.example.open")
        #expect(driver.effects == [.startApp(app: app, component: "/index.html", command: nil, parameters: [])])
        try driver.apps(.openWindow(app: app, component: "/index.html"))
        #expect(driver.effects.isEmpty)
        let effect = try driver.waiting(\.startsApp)
        try driver.event(.componentStarted(effect: effect, instance: "i1", entrypoint: "/index.html"))
        #expect(driver.tree.find("window.i1")?.facts.window == nil)
        try driver.component(.running, of: app, entrypoint: "/index.html")
        let facts = try #require(driver.tree.find("window.i1")?.facts.window)
        #expect(facts.instance == "i1" && facts.asked == effect)
        #expect(driver.state.apps.hasWindow("i1") && !driver.state.apps.hasWindow("i2"))
    }

    @Test func aWindowThatSomebodyElseOpenedIsListedAndNotShown() throws {
        var driver = try driverWithAWindow()
        try driver.component(.running, of: app, entrypoint: "/more.html")
        let facts = try #require(driver.tree.find("window.i1")?.facts.window)
        #expect(facts.instance == "i1" && facts.asked == nil)
        #expect(driver.tree.find("window.i1")?.label == .said("Checklist"))
        try driver.tap("window.i1.close")
        #expect(driver.effects == [.stopApp(app: app, instance: "i1")])
        try driver.component(.stopped, of: app, entrypoint: "/more.html")
        #expect(driver.tree.find("windows") == nil && !driver.state.apps.hasWindow("i1"))
    }

    @Test func theSameWindowAskedForAgainIsShownAgain() throws {
        var driver = try driverWithAWindow()
        var asked: Set<EffectID> = []
        for _ in 0..<2 {
            try driver.tap("app.checklist.example.open")
            let effect = try driver.waiting(\.startsApp)
            try driver.event(.componentStarted(effect: effect, instance: "i1", entrypoint: "/index.html"))
            try driver.component(.running, of: app, entrypoint: "/index.html")
            if let time = driver.tree.find("window.i1")?.facts.window?.asked { asked.insert(time) }
        }
        #expect(asked.count == 2)
    }

    @Test func whatTheManifestDoesNotNameIsNoWindow() throws {
        var driver = try driverWithAWindow()
        for component in ["/main.mjs", "", "/index.html\n"] {
            try driver.apps(.openWindow(app: app, component: component))
            #expect(driver.effects.isEmpty)
        }
        try driver.apps(.openWindow(app: "feeds.example", component: "/index.html"))
        #expect(driver.effects.isEmpty)
        try driver.component(.running, "i9", of: "feeds.example", entrypoint: "/index.html")
        #expect(driver.tree.find("windows") == nil && !driver.state.apps.hasWindow("i9"))
    }

    @Test func tooManyKindsOfWindowsAreCut() throws {
        var driver = try TestDriver()
        let many = (0..<99).map { AppWindow(name: String(repeating: "x", count: 999), component: "/\($0).html") }
        try driver.listApps([.checklist.with { $0.windows = many }])
        #expect(driver.state.apps[app]?.windows?.count == AppsLimits.windows)
        #expect(driver.state.apps[app]?.windows?.first?.name.utf8.count == AppsLimits.nameBytes)
    }

    @Test func aFileThatWasGivenIsCalledByItsName() throws {
        var driver = try driverWithAWindow()
        try driver.apps(.installFile(name: "feeds.zip", handle: "/profile/Files/Sent/8C1D"))
        #expect(driver.effects == [.inspectApp(source: "/profile/Files/Sent/8C1D")])
        #expect(driver.text.contains("feeds.zip") && !driver.text.contains("8C1D"))
        #expect(driver.state.redacted.apps.installation?.name == "xxxxxxxxx")
    }
}
