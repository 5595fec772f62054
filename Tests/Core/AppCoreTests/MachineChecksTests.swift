import AppCore
import Testing

@Suite struct MachineChecksTests {
    private func check(_ driver: TestDriver) throws -> EffectID {
        try driver.waiting { if case .checkServer = $0 { true } else { false } }
    }

    @Test func theServerIsAskedOnceAtATime() throws {
        var driver = try TestDriver()
        try driver.app(.checkServer)
        #expect(driver.effects == [.checkServer(server: Settings.defaultServer)])
        try driver.app(.checkServer)
        #expect(driver.effects.isEmpty)
        try driver.event(.effectDone(effect: check(driver)))
        try driver.app(.navigate(to: Screen(.settings)))
        #expect(driver.text.contains("It answers and is well."))
        #expect(driver.tree.find("settings.server.state")?.facts.failure == nil)
    }

    @Test func whatIsSaidOfOneServerIsNotSaidOfAnother() throws {
        var driver = try TestDriver()
        try driver.app(.navigate(to: Screen(.settings)))
        try driver.app(.checkServer)
        try driver.fail(check(driver), Failure(.serverUnreachable, retryable: true))
        #expect(driver.tree.find("settings.server.state")?.facts.failure == .serverUnreachable)
        try driver.app(.setServer(url: "https://other.example"))
        #expect(driver.tree.find("settings.server.state") == nil)
    }

    @Test func anAnswerThatComesLateCountsForNothing() throws {
        var driver = try TestDriver()
        try driver.app(.checkServer)
        let first = try check(driver)
        try driver.app(.setServer(url: "https://other.example"))
        try driver.app(.checkServer)
        try driver.fail(first, Failure(.serverUnreachable))
        #expect(driver.state.serverCheck?.failure == nil && driver.state.serverCheck?.effect != nil)
    }

    @Test func storageIsMeasuredWhenTheSettingsOpenAndForgottenWithTheLock() throws {
        var driver = try TestDriver()
        try driver.app(.navigate(to: Screen(.settings)))
        let effect = try driver.waiting { $0 == .measureStorage }
        let usage = StorageUsage(folder: "/home/ann/\u{202E}alcove", database: 1, files: 2, notes: 3)
        try driver.event(.storageMeasured(effect: effect, usage: usage))
        #expect(driver.text.contains("/home/ann/alcove"))
        #expect(driver.tree.find("settings.storage.files")?.facts.bytes == 2)
        try driver.event(
            .storageMeasured(effect: effect, usage: StorageUsage(folder: "/", database: 0, files: 0, notes: 0)))
        #expect(driver.state.storageUsage?.files == 2)
        try driver.app(.setPassphrase(passphrase: "p", current: nil))
        try driver.event(.effectDone(effect: driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        try driver.app(.lock)
        #expect(driver.state.storageUsage == nil && driver.state.serverCheck == nil)
    }

    @Test(arguments: Settings.Theme.allCases) func coloursAreOnEveryScreenAlsoWhenLocked(theme: Settings.Theme) throws {
        var driver = try TestDriver()
        try driver.app(.setTheme(theme: .dark))
        try driver.app(.setTheme(theme: theme))
        try driver.app(.setCover(on: true))
        let expected = theme == .system ? nil : theme
        #expect(driver.tree.facts.theme == expected && driver.tree.facts.covers == true)
        try driver.restart()
        #expect(driver.tree.facts.theme == expected)
        try driver.app(.setPassphrase(passphrase: "p", current: nil))
        try driver.event(.effectDone(effect: driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        try driver.app(.lock)
        #expect(driver.tree.id == "lock" && driver.tree.facts.theme == expected)
    }

    @Test(arguments: Settings.Language.allCases) func theLanguageIsOnEveryScreen(language: Settings.Language) throws {
        var driver = try TestDriver()
        try driver.app(.setLanguage(language: .german))
        try driver.app(.setLanguage(language: language))
        let expected = language == .system ? nil : language
        #expect(driver.tree.facts.language == expected)
        try driver.restart()
        try driver.app(.navigate(to: Screen(.settings)))
        #expect(driver.tree.facts.language == expected)
        let choice = try #require(driver.tree.find("settings.language.\(language.rawValue)"))
        #expect(choice.isSelected && !choice.isEnabled)
    }

    @Test(
        arguments: [
            ("  Ada\u{202E}\n Lovelace ", "Ada Lovelace"),
            (String(repeating: "ä", count: 80), String(repeating: "ä", count: 64)),
            (" \u{0} ", nil),
        ] as [(String, String?)])
    func theNameIsShortAndVisible(typed: String, kept: String?) throws {
        var driver = try TestDriver()
        try driver.app(.setName(name: "Ann"))
        try driver.app(.setName(name: typed))
        #expect(driver.state.settings.name == kept)
        try driver.restart()
        #expect(driver.state.settings.name == kept)
        #expect(driver.tree.find("welcome.name")?.isSelected == (kept != nil))
        #expect(driver.state.redacted.settings.name?.contains("Ada") != true)
        var random = SystemRandomNumberGenerator()
        let input = Input(at: driver.now, fresh: Fresh(using: &random), action: .app(.setName(name: typed)))
        #expect(!"\(input.redacted)".contains("Lovelace"))
    }
}
