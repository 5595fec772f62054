import AppCore
import Testing

/// The way of an app into the list, and out of it.
@Suite struct InstallationTests {
    @Test func nothingIsInstalledBeforeThePersonAgrees() throws {
        var stage = try Stage()
        try stage.askToInstall()
        #expect(stage.tree.id == "install_app")
        #expect(!stage.open.contains { $0.kind.installs })
        // What reaches far is off at first.
        #expect(stage.isOn("install_app.may.storage.app.local") == true)
        #expect(stage.isOn("install_app.may.network") == false)
        try stage.tap("install_app.may.network")
        try stage.tap("install_app.may.storage.app.local")
        try stage.tap("install_app.accept")
        #expect(stage.effects == [.installApp(source: "feeds.zip", digest: "d1", grants: ["network"])])
    }

    @Test func anAnswerCountsOnce() throws {
        var stage = try Stage()
        try stage.askToInstall()
        try stage.apps(.answerInstall(grants: []))
        let effect = try stage.waiting(\.installs)
        try stage.apps(.answerInstall(grants: ["network"]))
        #expect(stage.effects.isEmpty)
        try stage.apps(.declineInstall)
        #expect(try stage.waiting(\.installs) == effect, "what is under way is not called off")
        try stage.changeApps([.feeds])
        try stage.done(\.installs)
        #expect(stage.tree.id == "app")
        try stage.apps(.answerInstall(grants: ["network"]))
        try stage.event(.appInspected(effect: effect, pack: .feeds))
        #expect(stage.effects.isEmpty && stage.state.apps.installation == nil)
    }

    @Test func whatWasNotAskedIsNotGranted() throws {
        var stage = try Stage()
        try stage.askToInstall()
        try stage.apps(.answerInstall(grants: ["mail", "network", "network"]))
        #expect(stage.effects == [.installApp(source: "feeds.zip", digest: "d1", grants: ["network"])])
    }

    @Test func anUpdateAsksForWhatIsNew() throws {
        var stage = try Stage()
        try stage.listApps([.feeds])
        var update = AppPack.feeds
        (update.step, update.version, update.replaces) = (.update, "2.0", "1.0")
        update.requests = [.files(granted: true), .network(added: true)]
        try stage.askToInstall(update)
        #expect(stage.tree.find("install_app.may.storage.app.local") == nil)
        #expect(stage.tree.find("install_app.decided.storage.app.local")?.detail == "Granted")
        try stage.apps(.switchRequest(capability: "storage.app.local", on: false))
        try stage.tap("install_app.accept")
        #expect(stage.effects == [.installApp(source: "feeds.zip", digest: "d1", grants: [])])
    }

    @Test func withWhatItCouldBeConfusedIsToldBeforeThePersonAgrees() throws {
        var stage = try Stage()
        var pack = AppPack.feeds
        pack.warnings = ["Its name looks like that of \u{1B}Bank (bank.example)."] + (0..<20).map { "\($0)." }
        try stage.askToInstall(pack)
        #expect(
            stage.tree.find("install_app.warning.0")?.label == "Its name looks like that of Bank (bank.example).")
        #expect(stage.tree.find("install_app.warning.7") != nil && stage.tree.find("install_app.warning.8") == nil)
    }

    @Test func oneAtATime() throws {
        var stage = try Stage()
        try stage.askToInstall()
        try stage.apps(.installApp(source: "other.zip"))
        #expect(stage.effects.isEmpty)
        #expect(stage.text.contains("Another app is being installed"))
        try stage.apps(.declineInstall)
        try stage.apps(.installApp(source: "other.zip"))
        #expect(stage.effects == [.inspectApp(source: "other.zip")])
    }

    @Test func whatWasCalledOffIsNotAskedAbout() throws {
        var stage = try Stage()
        try stage.listApps()
        try stage.apps(.installApp(source: "feeds.zip"))
        let inspecting = try stage.waiting(\.inspects)
        try stage.tap("apps.cancel")
        try stage.event(.appInspected(effect: inspecting, pack: .feeds))
        #expect(stage.state.apps.installation == nil && stage.tree.id == "apps")
    }

    @Test func anInstallationGoesOnAfterARestart() throws {
        var stage = try Stage()
        try stage.askToInstall()
        try stage.apps(.answerInstall(grants: ["network"]))
        let effect = try stage.waiting(\.installs)
        try stage.restart()
        #expect(try stage.waiting(\.installs) == effect)
        #expect(stage.state.apps.installation?.step == .installing)
        try stage.fail(effect, Failure(.appsBusy, retryable: true))
        #expect(stage.state.apps.installation?.failure?.code == .appsBusy)
        try stage.pass(seconds: 31)
        #expect(stage.asked(\.installs))
        try stage.fail(effect, Failure(.packChanged))
        #expect(stage.state.apps.installation == nil)
        #expect(stage.text.contains("changed since you were asked"))
        #expect(stage.disk.keys.allSatisfy { !$0.hasPrefix("effect/") })
    }

    @Test func whatWaitsCanBeGivenUp() throws {
        var stage = try Stage()
        try stage.askToInstall()
        try stage.tap("install_app.accept")
        try stage.fail(try stage.waiting(\.installs), Failure(.appsBusy, retryable: true))
        try stage.tap("install_app.decline")
        #expect(stage.state.apps.installation == nil)
        #expect(!stage.open.contains { $0.kind.installs })
    }

    @Test func aRemovedAppIsGoneWithWhatRan() throws {
        var stage = try Stage()
        try stage.listApps()
        try stage.component(.running)
        try stage.event(.accessDenied(app: "feeds.example", capability: "network", text: "x"))
        try stage.apps(.showApp(app: "feeds.example"))
        try stage.apps(.removeApp(app: "feeds.example", data: true))
        #expect(stage.effects == [.removeApp(app: "feeds.example", data: true)])
        try stage.apps(.removeApp(app: "feeds.example", data: false))
        try stage.apps(.runApp(app: "feeds.example", component: nil, command: nil, parameters: []))
        #expect(stage.effects.isEmpty, "it is on its way out")
        try stage.done(\.removesApp)
        #expect(stage.state.apps["feeds.example"] == nil && stage.state.apps.components.isEmpty)
        #expect(stage.state.notices.isEmpty && stage.tree.id == "apps")
    }

    @Test func removingWhatIsGoneIsNoProblem() throws {
        var stage = try Stage()
        try stage.listApps()
        try stage.apps(.removeApp(app: "feeds.example", data: false))
        try stage.fail(try stage.waiting(\.removesApp), Failure(.appUnknown))
        #expect(stage.state.apps["feeds.example"] == nil && stage.state.notices.isEmpty)
    }
}
