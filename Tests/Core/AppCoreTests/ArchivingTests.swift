import AppCore
import Testing

/// The whole profile as a file, as a window offers it.
@Suite struct ArchivingTests {
    private func export(_ driver: TestDriver) throws -> EffectID {
        try driver.waiting { if case .exportProfile = $0 { true } else { false } }
    }

    @Test func theViewThatAskedGetsTheArchive() throws {
        var driver = try TestDriver()
        try driver.app(.navigate(to: Screen(.settings)))
        try driver.app(.setArchiveFiles(on: true))
        try driver.app(.exportProfile(passphrase: "p"))
        #expect(driver.effects == [.exportProfile(passphrase: "p", files: true)])
        #expect(driver.tree.find("settings.export.passphrase")?.isBusy == true)
        try driver.app(.exportProfile(passphrase: "q"))
        #expect(driver.effects.isEmpty, "one at a time")
        try driver.event(
            .profileExported(effect: export(driver), handle: "h", name: "../\u{202E}a/alcove.backup", bytes: 7))
        let done = try #require(driver.tree.find("settings.export.done"))
        #expect(
            done.facts.archive?.handle == "h" && done.facts.archive?.name == "alcove.backup" && done.facts.bytes == 7)
        try driver.app(.exportProfile(passphrase: "r"))
        #expect(driver.tree.find("settings.export.done") == nil, "the next one takes its place")
        try driver.fail(export(driver), Failure(.appsRunning))
        #expect(driver.text.contains("Apps are running"))
        #expect(driver.tree.find("settings.export.passphrase")?.isBusy == false)
    }

    @Test func onlyAnEmptyProfileIsReplaced() throws {
        var driver = try TestDriver()
        #expect(driver.tree.find("settings.restore")?.offers.isEmpty == false, "a step of the first minute")
        try driver.app(.restoreProfile(handle: "h", passphrase: "p"))
        #expect(driver.effects == [.restoreProfile(handle: "h", passphrase: "p")])
        try driver.fail(
            driver.waiting { if case .restoreProfile = $0 { true } else { false } }, Failure(.archiveUnreadable))
        #expect(driver.text.contains("no exported profile"))
        _ = try driver.roomThatTalks()
        try driver.app(.restoreProfile(handle: "h", passphrase: "p"))
        #expect(!driver.effects.contains(.restoreProfile(handle: "h", passphrase: "p")))
        try driver.app(.navigate(to: Screen(.settings)))
        #expect(driver.tree.find("settings.restore")?.isEnabled == false)
        #expect(driver.text.contains("holds something already"))
    }
}
