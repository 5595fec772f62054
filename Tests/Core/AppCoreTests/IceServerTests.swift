import AppCore
import Catalogues
import Testing

/// STUN and TURN servers that the person adds, and how they are.
@Suite struct IceServerTests {
    private func add(
        _ url: String, _ username: String? = nil, _ credential: SecretRef? = nil, to driver: inout TestDriver
    ) throws { try driver.app(.addIceServer(url: url, username: username, credential: credential)) }

    private func added(_ driver: TestDriver) -> [IceServer] {
        (driver.state.settings.addedIceServers ?? []).map(\.server)
    }

    private func problem(_ driver: TestDriver) -> String? {
        driver.state.notices.last { $0.kind == .problem }?.text.keys.first
    }

    @Test(arguments: [
        ("stun:stun.example", "stun:stun.example"), (" STUN:stun.example:3478 ", "stun:stun.example:3478"),
        ("stun:[2001:db8::1]:19302", "stun:[2001:db8::1]:19302"), ("turn:turn.example", "turn:turn.example"),
        ("turn:turn.example:443?transport=TCP", "turn:turn.example:443?transport=tcp"),
        ("Turn:[::1]?transport=udp", "turn:[::1]?transport=udp"),
    ]) func addressesAreTidied(entered: String, kept: String) throws {
        var driver = try TestDriver()
        try add(entered, "ann", "secret", to: &driver)
        let isRelay = kept.hasPrefix("turn:")
        #expect(
            added(driver) == [
                IceServer(urls: [kept], username: isRelay ? "ann" : nil, credential: isRelay ? "secret" : nil)
            ])
        // STUN takes no password, and what is not used is not kept.
        #expect(driver.asked { $0 == .forgetSecrets(secrets: ["secret"]) } == !isRelay)
    }

    @Test(arguments: [
        "", "turn.example", "turn:", "turn::3478", "turn:a b", "turn:ann:pass@turn.example", "turn:turn.example:0",
        "turn:turn.example:65536", "turn:turn.example:+80", "turn:a:b:c", "turn:[::1", "turn:[]", "turns:turn.example",
        "stuns:stun.example", "turn:turn.example?transport=tls", "turn:turn.example?user=ann", "turn://turn.example",
        "stun:stun.example?transport=tcp", "http://turn.example", "turn:türn.example",
        "turn:" + String(repeating: "a", count: 510),
    ]) func whatIsNoAddressIsRefusedAndItsPasswordForgotten(entered: String) throws {
        var driver = try TestDriver()
        try add(entered, "ann", "secret", to: &driver)
        #expect(added(driver).isEmpty && problem(driver) == "notice.ice_server_address")
        #expect(driver.effects == [.forgetSecrets(secrets: ["secret"])])
    }

    @Test(
        arguments: [
            (nil, "secret"), (" \u{0}", "secret"), ("ann", nil), (String(repeating: "a", count: 513), "s"),
        ] as [(String?, String?)])
    func aRelayNeedsNameAndPassword(username: String?, credential: String?) throws {
        var driver = try TestDriver()
        let credential = credential.map { SecretRef($0) }
        try add("turn:turn.example", username, credential, to: &driver)
        #expect(added(driver).isEmpty && problem(driver) == "notice.relay_needs_password")
        #expect(driver.effects == (credential.map { [.forgetSecrets(secrets: [$0])] } ?? []))
    }

    @Test func theyStandBesideThoseOfTheFileAndLast() throws {
        var driver = try TestDriver()
        let given = IceServer(urls: ["turn:given.example"], username: "ann", credential: "given")
        try driver.app(.setIceServers(servers: [given]))
        try add("turn:added.example", "ben", "added", to: &driver)
        let mine = IceServer(urls: ["turn:added.example"], username: "ben", credential: "added")
        #expect(driver.state.secrets.isSuperset(of: ["given", "added"]))
        try driver.restart()
        // What the file says counts anew, and takes nothing of what was added.
        try driver.app(.setIceServers(servers: []))
        #expect(driver.effects == [.forgetSecrets(secrets: ["given"])] && added(driver) == [mine])
        _ = try driver.roomThatConnects()
        #expect(driver.asked { if case .openLink(_, _, let servers) = $0 { servers == [mine] } else { false } })
        #expect(driver.disk["settings"]?.contains("turn:added.example") == true)
        let id = try #require(driver.state.settings.addedIceServers?.first?.id)
        try driver.app(.removeIceServer(server: id))
        #expect(
            driver.effects.last == .forgetSecrets(secrets: ["added"]) && driver.state.settings.addedIceServers == nil)
        try driver.app(.removeIceServer(server: id))
        #expect(driver.effects.isEmpty, "only once")
    }

    @Test func aStepThatIsSentTwiceHappensOnceAndTheNinthServerIsRefused() throws {
        var driver = try TestDriver()
        for number in 1...IceServerLimits.added { try add("stun:s\(number).example", to: &driver) }
        let again = try #require(driver.trace.last)
        var core = Core(state: driver.state)
        #expect(core.dispatch(again).effects.isEmpty && core.state.settings == driver.state.settings)
        try add("turn:one.more", "ann", "secret", to: &driver)
        #expect(added(driver).count == 8 && problem(driver) == "notice.too_many_ice_servers")
        #expect(driver.effects == [.forgetSecrets(secrets: ["secret"])])
    }

    @Test func eachIsTriedOnceAtATimeAndSaysHowItIs() throws {
        var driver = try TestDriver()
        try driver.app(.navigate(to: Screen(.settings)))
        #expect(driver.text.contains("New connections use those that the room's server hands out."))
        #expect(driver.tree.find("settings.ice.check") == nil)
        try add("stun:stun.example", to: &driver)
        try add("turn:turn.example", "ann", "secret", to: &driver)
        try driver.app(.setIceServers(servers: [IceServer(urls: ["stun:a.example", "stun:b.example"])]))
        try driver.app(.checkIceServers)
        #expect(driver.effects.count == 4, "one for each address")
        #expect(driver.tree.find("settings.ice.check")?.isBusy == true)
        let effects = driver.outcome.effects
        try driver.app(.checkIceServers)
        #expect(driver.effects.isEmpty)
        try driver.event(.effectDone(effect: effects[0].id))
        try driver.fail(effects[1].id, Failure(.iceServerRefused, retryable: true))
        try driver.event(.effectDone(effect: effects[2].id))
        try driver.fail(effects[3].id, Failure(.iceServerSilent, retryable: true))
        let ids = (driver.state.settings.addedIceServers ?? []).map(\.id.text) + ["0", "1"]
        let states = ids.map { driver.tree.find("settings.ice.\($0).state") }
        #expect(states.map { $0?.label.english.contains("It answers") } == [true, true, true, false])
        #expect(states.map { $0?.facts.failure } == [nil, .iceServerRefused, nil, .iceServerSilent])
        #expect(states[1]?.label.english.contains("Check the user name and the password") == true)
        #expect(driver.tree.find("settings.ice.check")?.isBusy == false)
        #expect(driver.tree.find("settings.ice.0.remove") == nil, "it is changed where it stands")
        let remove = try #require(driver.tree.find("settings.ice.\(ids[1]).remove")?.offers.first)
        #expect(remove.isDestructive)
        try driver.dispatch(remove.action)
        #expect(
            driver.tree.find("settings.ice.\(ids[1])") == nil
                && driver.asked { $0 == .forgetSecrets(secrets: ["secret"]) })
    }

    @Test func whatIsSaidOfOneServerIsNotSaidOfTheNextWithItsAddress() throws {
        var driver = try TestDriver()
        try add("turn:turn.example", "ann", "wrong", to: &driver)
        try driver.app(.checkIceServers)
        try driver.fail(driver.outcome.effects[0].id, Failure(.iceServerRefused))
        try driver.app(.removeIceServer(server: #require(driver.state.settings.addedIceServers?.first?.id)))
        try add("turn:turn.example", "ann", "right", to: &driver)
        try driver.app(.navigate(to: Screen(.settings)))
        let id = try #require(driver.state.settings.addedIceServers?.first?.id)
        #expect(driver.tree.find("settings.ice.\(id)") != nil && driver.tree.find("settings.ice.\(id).state") == nil)
    }

    @Test func aServerThatIsRemovedTakesWhatWasSaidOfItAlong() throws {
        var driver = try TestDriver()
        try driver.app(.setIceServers(servers: [IceServer(urls: ["stun:given.example"])]))
        try add("stun:added.example", to: &driver)
        try driver.app(.checkIceServers)
        for effect in driver.outcome.effects { try driver.event(.effectDone(effect: effect.id)) }
        try driver.app(.removeIceServer(server: #require(driver.state.settings.addedIceServers?.first?.id)))
        #expect(driver.state.iceServerChecks?.map(\.server.urls) == [["stun:given.example"]])
        try add("stun:added.example", to: &driver)
        try driver.app(.navigate(to: Screen(.settings)))
        let id = try #require(driver.state.settings.addedIceServers?.first?.id)
        #expect(driver.tree.find("settings.ice.\(id)") != nil && driver.tree.find("settings.ice.\(id).state") == nil)
        // Nor is a trial heard that was under way.
        try driver.app(.checkIceServers)
        let trials = driver.outcome.effects
        try driver.app(.setIceServers(servers: []))
        try driver.app(.removeIceServer(server: id))
        #expect(driver.state.iceServerChecks == nil)
        for trial in trials { try driver.event(.effectDone(effect: trial.id)) }
        #expect(driver.state.iceServerChecks == nil)
    }

    private func isLink(_ kind: Effect.Kind, with servers: [IceServer]) -> Bool {
        if case .openLink(_, _, let used) = kind { used == servers } else { false }
    }

    @Test(arguments: [nil, .connecting, .waitingForPeer, .reconnecting] as [LinkState?])
    func aLinkWithoutAPathTakesTheNewServersAtOnce(link: LinkState?) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatConnects()
        if let link { try driver.event(.linkChanged(effect: driver.waiting(\.isLink), link: link, path: nil)) }
        let old = try driver.waiting(\.isLink)
        try add("turn:turn.example", "ann", "secret", to: &driver)
        let mine = added(driver)
        #expect(driver.effects.first == .closeLink(room: room) && driver.asked { isLink($0, with: mine) })
        #expect(try driver.waiting(\.isLink) != old && driver.state.rooms[room]?.live.link == .connecting)
        // What the old one still says is not heard, and the new one is left alone.
        try driver.event(.linkChanged(effect: old, link: .closed, path: nil))
        try driver.event(.linkChanged(effect: driver.waiting(\.isLink), link: .waitingForPeer, path: nil))
        #expect(driver.effects.isEmpty && driver.state.rooms[room]?.live.link == .waitingForPeer)
        try driver.app(.removeIceServer(server: #require(driver.state.settings.addedIceServers?.first?.id)))
        #expect(driver.asked { isLink($0, with: []) })
        let given = IceServer(urls: ["stun:given.example"])
        try driver.app(.setIceServers(servers: [given]))
        #expect(driver.asked { isLink($0, with: [given]) })
    }

    @Test func aLinkThatWorksTakesTheNewServersWhenItBreaks() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let link = try driver.waiting(\.isLink)
        try add("stun:stun.example", to: &driver)
        #expect(driver.effects.isEmpty && driver.state.rooms[room]?.isTalking == true)
        try driver.event(.linkChanged(effect: link, link: .reconnecting, path: nil))
        #expect(!driver.effects.contains(.closeLink(room: room)), "it may be back in a moment")
        try driver.event(.linkChanged(effect: link, link: .waitingForPeer, path: nil))
        let mine = added(driver)
        #expect(driver.effects.first == .closeLink(room: room) && driver.asked { isLink($0, with: mine) })
        try driver.connect()
        try driver.event(.linkChanged(effect: driver.waiting(\.isLink), link: .waitingForPeer, path: nil))
        #expect(!driver.effects.contains(.closeLink(room: room)), "it has them already")
    }

    @Test func aLockedProfileAddsNothingAndForgetsHowTheyAre() throws {
        var driver = try TestDriver()
        try add("stun:stun.example", to: &driver)
        try driver.app(.checkIceServers)
        let trial = driver.outcome.effects[0].id
        try driver.app(.setPassphrase(passphrase: "p", current: nil))
        try driver.event(.effectDone(effect: driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        try driver.app(.lock)
        #expect(driver.state.iceServerChecks == nil)
        try driver.event(.effectDone(effect: trial))
        try driver.app(.checkIceServers)
        try add("turn:turn.example", "ann", "secret", to: &driver)
        #expect(driver.effects.isEmpty && driver.state.iceServerChecks == nil && added(driver).count == 1)
    }

    @Test func aReportNamesNoServer() throws {
        var driver = try TestDriver()
        try add("turn:sesame.example:3478?transport=tcp", "sesame", "reference", to: &driver)
        let input = try #require(driver.trace.last)
        try driver.app(.checkIceServers)
        let effect = try #require(driver.outcome.effects.first)
        let report = Input(at: driver.now, fresh: Fresh(1, 2, 3, 4), action: input.action).redacted
        let texts = [try JSON.encode(report), try JSON.encode(driver.state.redacted)]
        for text in texts { #expect(!String(decoding: text, as: UTF8.self).contains("sesame")) }
        #expect(driver.open.contains { $0.id == effect.id })
        var core = Core()
        _ = core.dispatch(
            Input(at: driver.now, fresh: Fresh(9, 9, 9, 9), action: .event(.started(locked: false, records: []))))
        _ = core.dispatch(report)
        #expect(core.state.settings.addedIceServers?.count == 1, "it is still an address")
    }
}
