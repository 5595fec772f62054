import AppCore
import Testing

/// What apps do while they run.
@Suite struct ComponentTests {
    private let app: AppID = "feeds.example"

    private func driverWithAnApp() throws -> TestDriver {
        var driver = try TestDriver()
        try driver.listApps()
        try driver.apps(.showApp(app: app))
        return driver
    }

    @Test func anAppStartsOnceAtATime() throws {
        var driver = try driverWithAnApp()
        try driver.tap("app.run")
        #expect(driver.effects == [.startApp(app: app, component: nil, command: nil, parameters: [])])
        try driver.apps(.runApp(app: app, component: nil, command: nil, parameters: []))
        #expect(driver.effects.isEmpty)
        try driver.event(
            .componentStarted(effect: try driver.waiting(\.startsApp), instance: "i1", entrypoint: "/main.mjs"))
        #expect(driver.state.apps.components.map(\.state) == [.starting])
        try driver.component(.running)
        #expect(driver.state.apps.components.map(\.state) == [.running])
        try driver.tap("app.stop")
        #expect(driver.effects == [.stopApp(app: app, instance: nil)])
        try driver.component(.stopped)
        #expect(driver.state.apps.components.isEmpty)
    }

    @Test func aCommandTakesTheWordsInTheField() throws {
        var driver = try driverWithAnApp()
        try driver.apps(.editParameters(text: " two  lemons\n"))
        try driver.tap("app.command.0")
        #expect(
            driver.effects == [.startApp(app: app, component: nil, command: "add", parameters: ["two", "lemons"])])
        #expect(driver.state.views.main.apps.parametersForm.isEmpty)
        try driver.apps(
            .runApp(
                app: app, component: nil, command: "sync", parameters: [String(repeating: "x", count: 9000)]))
        #expect(driver.effects.isEmpty && driver.text.contains("8 KiB"))
    }

    @Test func whatStartsTakesThePlaceOfWhatCrashed() throws {
        var driver = try driverWithAnApp()
        try driver.component(.running, "i1")
        try driver.component(.crashed, "i1")
        try driver.component(.crashed, "i2", entrypoint: "/index.html")
        try driver.component(.starting, "i3")
        #expect(driver.state.apps.components.map(\.id) == ["i2", "i3"])
        try driver.apps(.clearAppLog(app: app))
        #expect(driver.state.apps.components.map(\.id) == ["i3"])
    }

    @Test func anInstanceStaysWithItsApp() throws {
        var driver = try driverWithAnApp()
        try driver.component(.running, "i1")
        try driver.component(.crashed, "i1", of: "checklist.example")
        #expect(driver.state.apps.components.map(\.app) == [app])
        #expect(driver.state.apps.components.map(\.state) == [.running])
    }

    @Test func aDenialIsToldOnce() throws {
        var driver = try driverWithAnApp()
        for number in 0..<3 {
            try driver.event(.accessDenied(app: app, capability: "network", text: "try \(number)"))
            #expect(driver.state.notices.count == (number == 0 ? 1 : 0))
            try driver.app(.dismissNotice(notice: driver.state.notices.last?.id ?? 0))
        }
        let denial = try #require(driver.state.apps.log(of: app).denials.first)
        #expect(denial.count == 3 && denial.text == "try 2")
    }

    @Test func oneAppDoesNotDriveOutWhatOthersSay() throws {
        var driver = try driverWithAnApp()
        try driver.apps(.installApp(source: "x.zip"))
        try driver.fail(try driver.waiting(\.inspects), Failure(.packUnreadable))
        for number in 0..<50 {
            try driver.event(
                .accessDenied(app: app, capability: CapabilityName("c\(number)"), text: "x"))
            try driver.event(.appNotification(app: app, text: "Look \(number)"))
        }
        #expect(driver.state.notices.count == 3)
        #expect(driver.text.contains("There is no app here") && driver.text.contains("Look 49"))
    }

    @Test(arguments: ["file:///etc/passwd", "tel:1", "javascript:1", "", "https://a\u{202E}b", " https://a"])
    func aLinkThatCouldStartAnotherProgramIsNotAskedAbout(url: String) throws {
        var driver = try driverWithAnApp()
        try driver.event(.appAsksUrl(app: app, url: url))
        #expect(driver.state.apps.links.isEmpty)
    }

    @Test func aLinkOpensOnlyWhenThePersonAgrees() throws {
        var driver = try driverWithAnApp()
        for number in 0..<20 { try driver.event(.appAsksUrl(app: app, url: "https://example.org/\(number / 2)")) }
        #expect(driver.effects.isEmpty)
        #expect(driver.state.apps.links.count == AppsLimits.links)
        try driver.apps(.openUrl(app: app, url: "https://elsewhere.example"))
        #expect(driver.effects.isEmpty, "nobody asked for it")
        try driver.tap("link.0.open")
        #expect(driver.effects == [.openUrl(url: "https://example.org/0")])
        try driver.tap("link.0.decline")
        #expect(driver.effects.isEmpty && driver.state.apps.links.count == AppsLimits.links - 2)
    }
}
