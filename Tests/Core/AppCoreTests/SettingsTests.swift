import AppCore
import Testing

@Suite struct SettingsTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), (" https://rooms.example/ ", "https://rooms.example"),
        ("https://[::1]:443/base//", "https://[::1]:443/base"),
    ]) func serversAreTidied(entered: String, kept: String) throws {
        var driver = try TestDriver()
        try driver.app(.setServer(url: "https://other.example"))
        try driver.app(.setServer(url: entered))
        #expect(driver.state.settings.server == kept)
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org", "http://", "https:///", "http://:80", "http://a b",
        "http://user:pass@host", "http://host?x", "http://host#x", "http://höst", "http://host\\x",
    ]) func whatIsNoServerIsRefusedWithASentence(entered: String) throws {
        var driver = try TestDriver()
        try driver.app(.setServer(url: entered))
        #expect(driver.state.settings == Settings())
        #expect(driver.text.contains("Enter the server as"))
    }

    @Test func roomsStayWithTheServerTheyWereMadeOn() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        try driver.app(.setServer(url: "https://elsewhere.example"))
        #expect(driver.state.rooms[room]?.server == Settings.defaultServer)
    }

    @Test func iceServersReachTheLinkAndDroppedCredentialsAreForgotten() throws {
        var driver = try TestDriver()
        let turn = IceServer(urls: ["turn:turn.example:3478"], username: "ann", credential: "secret-1")
        try driver.app(.setIceServers(servers: [turn]))
        _ = try driver.roomThatConnects()
        #expect(driver.asked { if case .openLink(_, _, let servers) = $0 { servers == [turn] } else { false } })
        try driver.app(.setIceServers(servers: []))
        #expect(driver.effects.last == .forgetSecrets(secrets: ["secret-1"]))
    }

    @Test(arguments: [
        [IceServer(urls: ["http://x"])], [IceServer(urls: [])],
        Array(repeating: IceServer(urls: ["stun:x"]), count: 17),
    ]) func impossibleIceServersAreRefused(servers: [IceServer]) throws {
        var driver = try TestDriver()
        try driver.app(.setIceServers(servers: servers))
        #expect(driver.state.settings.iceServers.isEmpty)
        #expect(driver.tree.find("notices") != nil)
    }

    @Test func noticesGoWhenDismissedAndAreBounded() throws {
        var driver = try TestDriver()
        try driver.app(.setServer(url: "x"))
        try driver.app(.setServer(url: "y"))
        #expect(driver.state.notices.count == 1, "the same sentence is not repeated")
        let banner = try #require(driver.tree.find("notices")?.children.first)
        try driver.dispatch(try #require(banner.children.first?.offers.first).action)
        #expect(driver.tree.find("notices") == nil)
    }

    @Test func screensFormAPath() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.app(.navigate(to: Screen(.roomSettings, room: room)))
        try driver.app(.navigate(to: Screen(.safetyNumber, room: room)))
        try driver.app(.back)
        #expect(driver.state.views.main.screen == Screen(.roomSettings, room: room))
        try driver.app(.navigate(to: Screen(.rooms)))
        #expect(driver.state.views.main.screens == [Screen(.rooms)])
        try driver.app(.back)
        try driver.app(.navigate(to: Screen(.chat, room: "unknown")))
        try driver.app(.navigate(to: Screen(.chat)))
        #expect(driver.state.views.main.screens == [Screen(.rooms)])
    }
}
