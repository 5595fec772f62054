import AppCore
import Testing

/// What apps do while they run.
@Suite struct ComponentTests {
    private let app: AppID = "feeds.example"

    private func stageWithAnApp() throws -> Stage {
        var stage = try Stage()
        try stage.listApps()
        try stage.apps(.showApp(app: app))
        return stage
    }

    @Test func anAppStartsOnceAtATime() throws {
        var stage = try stageWithAnApp()
        try stage.tap("app.run")
        #expect(stage.effects == [.startApp(app: app, component: nil, command: nil, parameters: [])])
        try stage.apps(.runApp(app: app, component: nil, command: nil, parameters: []))
        #expect(stage.effects.isEmpty)
        try stage.event(
            .componentStarted(effect: try stage.waiting(\.startsApp), instance: "i1", entrypoint: "/main.mjs"))
        #expect(stage.state.apps.components.map(\.state) == [.starting])
        try stage.component(.running)
        #expect(stage.state.apps.components.map(\.state) == [.running])
        try stage.tap("app.stop")
        #expect(stage.effects == [.stopApp(app: app, instance: nil)])
        try stage.component(.stopped)
        #expect(stage.state.apps.components.isEmpty)
    }

    @Test func aCommandTakesTheWordsInTheField() throws {
        var stage = try stageWithAnApp()
        try stage.apps(.editParameters(text: " two  lemons\n"))
        try stage.tap("app.command.0")
        #expect(
            stage.effects == [.startApp(app: app, component: nil, command: "add", parameters: ["two", "lemons"])])
        #expect(stage.state.apps.parametersForm.isEmpty)
        try stage.apps(
            .runApp(
                app: app, component: nil, command: "sync", parameters: [String(repeating: "x", count: 9000)]))
        #expect(stage.effects.isEmpty && stage.text.contains("8 KiB"))
    }

    @Test func whatStartsTakesThePlaceOfWhatCrashed() throws {
        var stage = try stageWithAnApp()
        try stage.component(.running, "i1")
        try stage.component(.crashed, "i1")
        try stage.component(.crashed, "i2", entrypoint: "/index.html")
        try stage.component(.starting, "i3")
        #expect(stage.state.apps.components.map(\.id) == ["i2", "i3"])
        try stage.apps(.clearAppLog(app: app))
        #expect(stage.state.apps.components.map(\.id) == ["i3"])
    }

    @Test func anInstanceStaysWithItsApp() throws {
        var stage = try stageWithAnApp()
        try stage.component(.running, "i1")
        try stage.component(.crashed, "i1", of: "checklist.example")
        #expect(stage.state.apps.components.map(\.app) == [app])
        #expect(stage.state.apps.components.map(\.state) == [.running])
    }

    @Test func aDenialIsToldOnce() throws {
        var stage = try stageWithAnApp()
        for number in 0..<3 {
            try stage.event(.accessDenied(app: app, capability: "network", text: "try \(number)"))
            #expect(stage.state.notices.count == (number == 0 ? 1 : 0))
            try stage.app(.dismissNotice(notice: stage.state.notices.last?.id ?? 0))
        }
        let denial = try #require(stage.state.apps.log(of: app).denials.first)
        #expect(denial.count == 3 && denial.text == "try 2")
    }

    @Test func oneAppDoesNotDriveOutWhatOthersSay() throws {
        var stage = try stageWithAnApp()
        try stage.apps(.installApp(source: "x.zip"))
        try stage.fail(try stage.waiting(\.inspects), Failure(.packUnreadable))
        for number in 0..<50 {
            try stage.event(
                .accessDenied(app: app, capability: CapabilityName("c\(number)"), text: "x"))
            try stage.event(.appNotification(app: app, text: "Look \(number)"))
        }
        #expect(stage.state.notices.count == 3)
        #expect(stage.text.contains("There is no app here") && stage.text.contains("Look 49"))
    }

    @Test(arguments: ["file:///etc/passwd", "tel:1", "javascript:1", "", "https://a\u{202E}b", " https://a"])
    func aLinkThatCouldStartAnotherProgramIsNotAskedAbout(url: String) throws {
        var stage = try stageWithAnApp()
        try stage.event(.appAsksUrl(app: app, url: url))
        #expect(stage.state.apps.links.isEmpty)
    }

    @Test func aLinkOpensOnlyWhenThePersonAgrees() throws {
        var stage = try stageWithAnApp()
        for number in 0..<20 { try stage.event(.appAsksUrl(app: app, url: "https://example.org/\(number / 2)")) }
        #expect(stage.effects.isEmpty)
        #expect(stage.state.apps.links.count == AppsLimits.links)
        try stage.apps(.openUrl(app: app, url: "https://elsewhere.example"))
        #expect(stage.effects.isEmpty, "nobody asked for it")
        try stage.tap("link.0.open")
        #expect(stage.effects == [.openUrl(url: "https://example.org/0")])
        try stage.tap("link.0.decline")
        #expect(stage.effects.isEmpty && stage.state.apps.links.count == AppsLimits.links - 2)
    }
}
