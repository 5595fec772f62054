import AppCore
import Catalogues
import Testing

/// The way of an app into the list, and out of it.
@Suite struct InstallationTests {
    @Test func nothingIsInstalledBeforeThePersonAgrees() throws {
        var driver = try TestDriver()
        try driver.askToInstall()
        #expect(driver.tree.id == "install_app")
        #expect(!driver.open.contains { $0.kind.installs })
        // What reaches far is off at first.
        #expect(driver.isOn("install_app.may.storage.app.local") == true)
        #expect(driver.isOn("install_app.may.network") == false)
        try driver.tap("install_app.may.network")
        try driver.tap("install_app.may.storage.app.local")
        try driver.tap("install_app.accept")
        #expect(driver.effects == [.installApp(source: "feeds.zip", digest: "d1", grants: ["network"])])
    }

    @Test func anAnswerCountsOnce() throws {
        var driver = try TestDriver()
        try driver.askToInstall()
        try driver.apps(.answerInstall(grants: []))
        let effect = try driver.waiting(\.installs)
        try driver.apps(.answerInstall(grants: ["network"]))
        #expect(driver.effects.isEmpty)
        try driver.apps(.declineInstall)
        #expect(try driver.waiting(\.installs) == effect, "what is under way is not called off")
        try driver.changeApps([.feeds])
        try driver.done(\.installs)
        #expect(driver.tree.id == "app")
        try driver.apps(.answerInstall(grants: ["network"]))
        try driver.event(.appInspected(effect: effect, pack: .feeds))
        #expect(driver.effects.isEmpty && driver.state.apps.installation == nil)
    }

    @Test func whatWasNotAskedIsNotGranted() throws {
        var driver = try TestDriver()
        try driver.askToInstall()
        try driver.apps(.answerInstall(grants: ["mail", "network", "network"]))
        #expect(driver.effects == [.installApp(source: "feeds.zip", digest: "d1", grants: ["network"])])
    }

    @Test func anUpdateAsksForWhatIsNew() throws {
        var driver = try TestDriver()
        try driver.listApps([.feeds])
        var update = AppPack.feeds
        (update.step, update.version, update.replaces) = (.update, "2.0", "1.0")
        update.requests = [.files(granted: true), .network(added: true)]
        try driver.askToInstall(update)
        #expect(driver.tree.find("install_app.may.storage.app.local") == nil)
        #expect(driver.tree.find("install_app.decided.storage.app.local")?.detail?.english == "Granted")
        try driver.apps(.switchRequest(capability: "storage.app.local", on: false))
        try driver.tap("install_app.accept")
        #expect(driver.effects == [.installApp(source: "feeds.zip", digest: "d1", grants: [])])
    }

    @Test func withWhatItCouldBeConfusedIsToldBeforeThePersonAgrees() throws {
        var driver = try TestDriver()
        var pack = AppPack.feeds
        pack.warnings = ["Its name looks like that of \u{1B}Bank (bank.example)."] + (0..<20).map { "\($0)." }
        try driver.askToInstall(pack)
        #expect(
            driver.tree.find("install_app.warning.0")?.label.english
                == "Its name looks like that of Bank (bank.example).")
        #expect(driver.tree.find("install_app.warning.7") != nil && driver.tree.find("install_app.warning.8") == nil)
    }

    @Test func oneAtATime() throws {
        var driver = try TestDriver()
        try driver.askToInstall()
        try driver.apps(.installApp(source: "other.zip"))
        #expect(driver.effects.isEmpty)
        #expect(driver.text.contains("Another app is being installed"))
        try driver.apps(.declineInstall)
        try driver.apps(.installApp(source: "other.zip"))
        #expect(driver.effects == [.inspectApp(source: "other.zip")])
    }

    @Test func whatWasCalledOffIsNotAskedAbout() throws {
        var driver = try TestDriver()
        try driver.listApps()
        try driver.apps(.installApp(source: "feeds.zip"))
        let inspecting = try driver.waiting(\.inspects)
        try driver.tap("apps.cancel")
        try driver.event(.appInspected(effect: inspecting, pack: .feeds))
        #expect(driver.state.apps.installation == nil && driver.tree.id == "apps")
    }

    @Test func anInstallationGoesOnAfterARestart() throws {
        var driver = try TestDriver()
        try driver.askToInstall()
        try driver.apps(.answerInstall(grants: ["network"]))
        let effect = try driver.waiting(\.installs)
        try driver.restart()
        #expect(try driver.waiting(\.installs) == effect)
        #expect(driver.state.apps.installation?.step == .installing)
        try driver.fail(effect, Failure(.appsBusy, retryable: true))
        #expect(driver.state.apps.installation?.failure?.code == .appsBusy)
        try driver.pass(seconds: 31)
        #expect(driver.asked(\.installs))
        try driver.fail(effect, Failure(.packChanged))
        #expect(driver.state.apps.installation == nil)
        #expect(driver.text.contains("changed since you were asked"))
        #expect(driver.disk.keys.allSatisfy { !$0.hasPrefix("effect/") })
    }

    @Test func whatWaitsCanBeGivenUp() throws {
        var driver = try TestDriver()
        try driver.askToInstall()
        try driver.tap("install_app.accept")
        try driver.fail(try driver.waiting(\.installs), Failure(.appsBusy, retryable: true))
        try driver.tap("install_app.decline")
        #expect(driver.state.apps.installation == nil)
        #expect(!driver.open.contains { $0.kind.installs })
    }

    @Test func aRemovedAppIsGoneWithWhatRan() throws {
        var driver = try TestDriver()
        try driver.listApps()
        try driver.component(.running)
        try driver.event(.accessDenied(app: "feeds.example", capability: "network", text: "x"))
        try driver.apps(.showApp(app: "feeds.example"))
        try driver.apps(.removeApp(app: "feeds.example", data: true))
        #expect(driver.effects == [.removeApp(app: "feeds.example", data: true)])
        try driver.apps(.removeApp(app: "feeds.example", data: false))
        try driver.apps(.runApp(app: "feeds.example", component: nil, command: nil, parameters: []))
        #expect(driver.effects.isEmpty, "it is on its way out")
        try driver.done(\.removesApp)
        #expect(driver.state.apps["feeds.example"] == nil && driver.state.apps.components.isEmpty)
        #expect(driver.state.notices.isEmpty && driver.tree.id == "apps")
    }

    @Test func removingWhatIsGoneIsNoProblem() throws {
        var driver = try TestDriver()
        try driver.listApps()
        try driver.apps(.removeApp(app: "feeds.example", data: false))
        try driver.fail(try driver.waiting(\.removesApp), Failure(.appUnknown))
        #expect(driver.state.apps["feeds.example"] == nil && driver.state.notices.isEmpty)
    }
}
