import AppCore
import Testing

@Suite struct SettingsTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), (" https://rooms.example/ ", "https://rooms.example"),
        ("https://[::1]:443/base//", "https://[::1]:443/base"),
    ]) func serversAreTidied(entered: String, kept: String) throws {
        var stage = try Stage()
        try stage.app(.setServer(url: "https://other.example"))
        try stage.app(.setServer(url: entered))
        #expect(stage.state.settings.server == kept)
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org", "http://", "https:///", "http://:80", "http://a b",
        "http://user:pass@host", "http://host?x", "http://host#x", "http://höst", "http://host\\x",
    ]) func whatIsNoServerIsRefusedWithASentence(entered: String) throws {
        var stage = try Stage()
        try stage.app(.setServer(url: entered))
        #expect(stage.state.settings == Settings())
        #expect(stage.text.contains("Enter the server as"))
    }

    @Test func roomsStayWithTheServerTheyWereMadeOn() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        try stage.app(.setServer(url: "https://elsewhere.example"))
        #expect(stage.state.rooms[room]?.server == Settings.defaultServer)
    }

    @Test func iceServersReachTheLinkAndDroppedCredentialsAreForgotten() throws {
        var stage = try Stage()
        let turn = IceServer(urls: ["turn:turn.example:3478"], username: "ann", credential: "secret-1")
        try stage.app(.setIceServers(servers: [turn]))
        _ = try stage.roomThatConnects()
        #expect(stage.asked { if case .openLink(_, _, let servers) = $0 { servers == [turn] } else { false } })
        try stage.app(.setIceServers(servers: []))
        #expect(stage.effects == [.forgetSecrets(secrets: ["secret-1"])])
    }

    @Test(arguments: [
        [IceServer(urls: ["http://x"])], [IceServer(urls: [])],
        Array(repeating: IceServer(urls: ["stun:x"]), count: 17),
    ]) func impossibleIceServersAreRefused(servers: [IceServer]) throws {
        var stage = try Stage()
        try stage.app(.setIceServers(servers: servers))
        #expect(stage.state.settings.iceServers.isEmpty)
        #expect(stage.tree.find("notices") != nil)
    }

    @Test func noticesGoWhenDismissedAndAreBounded() throws {
        var stage = try Stage()
        try stage.app(.setServer(url: "x"))
        try stage.app(.setServer(url: "y"))
        #expect(stage.state.notices.count == 1, "the same sentence is not repeated")
        let banner = try #require(stage.tree.find("notices")?.children.first)
        try stage.dispatch(try #require(banner.children.first?.offers.first).action)
        #expect(stage.tree.find("notices") == nil)
    }

    @Test func screensFormAPath() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.app(.navigate(to: Screen(.roomSettings, room: room)))
        try stage.app(.navigate(to: Screen(.safetyNumber, room: room)))
        try stage.app(.back)
        #expect(stage.state.screen == Screen(.roomSettings, room: room))
        try stage.app(.navigate(to: Screen(.rooms)))
        #expect(stage.state.screens == [Screen(.rooms)])
        try stage.app(.back)
        try stage.app(.navigate(to: Screen(.chat, room: "unknown")))
        try stage.app(.navigate(to: Screen(.chat)))
        #expect(stage.state.screens == [Screen(.rooms)])
    }
}
