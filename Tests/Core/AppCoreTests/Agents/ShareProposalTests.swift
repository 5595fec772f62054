import Testing

@testable import AppCore

/// Agents that a page shares: the person says so on the desktop.
@Suite struct ShareProposalTests {
    private static func driver(sandbox: AgentSandbox? = nil) throws -> (TestDriver, RoomID, AgentID) {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.agents(.addAgent(name: "helper", command: ["opencode", "acp"], sandbox: sandbox))
        let agent = try #require(driver.state.agents.inOrder.first?.id)
        try driver.app(.navigate(to: Screen(.agentSettings, agent: agent)))
        return (driver, room, agent)
    }

    private static func proposal(
        _ agent: AgentID, _ room: RoomID, _ folder: String? = "/project", readOnly: Bool = true,
        ownerDecides: Bool = false
    ) -> AgentAction {
        .proposeShare(agent: agent, room: room, folder: folder, readOnly: readOnly, ownerDecides: ownerDecides)
    }

    @Test(
        arguments: [
            (nil, true, "reading"), (nil, false, "free"), (AgentSandbox(network: false), false, "confined"),
            (AgentSandbox(network: true), false, "confined.network"),
            (AgentSandbox(network: true), true, "reading.network"), (AgentSandbox(network: false), true, "reading"),
        ] as [(AgentSandbox?, Bool, String)])
    func `it is shared when the person agrees, and as it was asked about`(
        sandbox: AgentSandbox?, readOnly: Bool, way: String
    ) throws {
        var (driver, room, agent) = try Self.driver(sandbox: sandbox)
        try driver.agents(Self.proposal(agent, room, readOnly: readOnly, ownerDecides: true))
        #expect(driver.tree.lines.joined().contains("asks you on your desktop"))
        #expect(driver.tree.find("share_with.\(room)")?.isEnabled == false)
        #expect(driver.state.agents.byID[agent]?.shares.isEmpty == true)
        let effect = try driver.waiting(\.asksOnDesktop)
        guard case .askOnDesktop(let subject) = driver.state.pendingEffects[effect] else { return }
        #expect(subject.detail.keys.first == "desktop.share_agent.\(way)" && subject.folder == "/project")
        guard case .key(_, let said) = subject.detail else { return }
        #expect(
            said["key"] == .said(String(Self.key(driver, room).prefix(16)).trimmed)
                && said["place"] == .said("opencode acp"))
        #expect(said["answers"] == .words("desktop.share_agent.owner"))
        for _ in 0..<2 { try driver.event(.desktopAnswered(effect: effect, isAccepted: true)) }
        let share = try #require(driver.state.agents.byID[agent]?.shares.first)
        #expect(share.room == room && share.folder == "/project" && share.readOnly == readOnly && share.ownerDecides)
        #expect(driver.state.agents.byID[agent]?.shares.count == 1 && driver.tree.find("share_with.\(room)") == nil)
    }

    private static func key(_ driver: TestDriver, _ room: RoomID) -> String {
        driver.state.rooms[room]?.identity?.fingerprint ?? "no key"
    }

    @Test func `nothing is shared when the person does not agree, or what was asked about is gone`() throws {
        var (driver, room, agent) = try Self.driver()
        try driver.agents(Self.proposal(agent, room))
        try driver.event(.desktopAnswered(effect: driver.waiting(\.asksOnDesktop), isAccepted: false))
        #expect(driver.state.notices.last?.text.keys == ["notice.agent_stays_unshared"])
        #expect(driver.tree.find("agent_settings.sharing.proposal") == nil)
        try driver.agents(Self.proposal(agent, room))
        let effect = try driver.waiting(\.asksOnDesktop)
        try driver.circle(.revokeTrust(room: room, reason: nil))
        try driver.event(.desktopAnswered(effect: effect, isAccepted: true))
        #expect(driver.state.agents.byID[agent]?.shares.isEmpty == true)
    }

    @Test func `what is refused later is not asked about`() throws {
        var (driver, room, agent) = try Self.driver()
        let stranger = try driver.roomThatTalks()
        for (action, notice) in [
            (Self.proposal(agent, stranger), "share_needs_member"), (Self.proposal("none", room), "agent_gone"),
            (Self.proposal(agent, room, "project"), "agent_folder_invalid"),
            (Self.proposal(agent, room, nil), "agent_folder_invalid"),
        ] {
            try driver.agents(action)
            #expect(driver.state.notices.last?.text.keys == ["notice.\(notice)"])
            #expect(driver.open.allSatisfy { !$0.kind.asksOnDesktop })
        }
    }

    @Test func `a desktop that asks nobody, or cuts, leaves the command for a terminal`() throws {
        var (driver, room, agent) = try Self.driver()
        let long = "/" + String(repeating: "a", count: 200)
        try driver.agents(Self.proposal(agent, room, long, readOnly: false, ownerDecides: true))
        #expect(driver.open.allSatisfy { !$0.kind.asksOnDesktop })
        let command = "alcove agent share helper --with \(room.text.prefix(8)) --folder"
        let shown = try #require(driver.tree.find("agent_settings.sharing.proposal"))
        #expect(shown.value == .text("\(command) \(long) --owner-decides"))
        try driver.agents(.editSharingForm(agent: agent, ownerDecides: true))
        #expect(driver.tree.find("agent_settings.sharing.proposal") == nil, "it was said of another choice")
        try driver.agents(Self.proposal(agent, room))
        try driver.fail(driver.waiting(\.asksOnDesktop), Failure(.desktopUnavailable))
        let other = try #require(driver.tree.find("agent_settings.sharing.proposal"))
        #expect(other.value == .text("\(command) /project --read-only"))
        try driver.agents(Self.proposal(agent, room))
        try driver.fail(driver.waiting(\.asksOnDesktop), Failure(.agentFolderMissing))
        #expect(driver.state.notices.last?.text.keys == ["failure.agent_folder_missing"])
        #expect(driver.tree.find("agent_settings.sharing.proposal") == nil)
    }

    @Test func `the form begins with what grants least, and a model server has no folder`() throws {
        var (driver, room, agent) = try Self.driver()
        #expect(driver.tree.find("agent_settings.sharing.reading")?.isSelected == true)
        #expect(driver.tree.find("share_with.\(room)")?.isEnabled == false, "it has no folder yet")
        try driver.agents(.editSharingForm(agent: agent, readOnly: false))
        #expect(driver.tree.find("agent_settings.sharing.reading")?.isSelected == false)
        try driver.agents(.editSharingForm(agent: agent, readOnly: true))
        #expect(driver.state.views.main.agents.sharing == nil)
        try driver.agents(.editAgentForm(name: nil, command: nil, url: nil, model: nil, key: nil, folder: "/project"))
        try driver.tap("share_with.\(room)")
        #expect(driver.state.agents.byID[agent]?.shares.first?.readOnly == true)
        try driver.agents(.addModel(name: "model", url: "http://127.0.0.1:8080", model: "m", key: nil))
        let model = try #require(driver.state.agents.inOrder.first { $0.name == "model" }?.id)
        try driver.app(.navigate(to: Screen(.agentSettings, agent: model)))
        #expect(driver.tree.find("agent_settings.sharing.reading") == nil)
        try driver.agents(Self.proposal(model, room, "/anywhere"))
        guard case .askOnDesktop(let subject) = driver.state.pendingEffects[try driver.waiting(\.asksOnDesktop)] else {
            return
        }
        #expect(subject.folder == nil && subject.detail.keys.first == "desktop.share_agent.server")
    }

    @Test func `a yes is for what was asked about, and for nothing that took its place`() throws {
        var (driver, room, agent) = try Self.driver()
        try driver.agents(Self.proposal(agent, room))
        try driver.agents(.renameAgent(agent: agent, name: "toy"))
        try driver.event(.desktopAnswered(effect: driver.waiting(\.asksOnDesktop), isAccepted: true))
        #expect(driver.state.notices.last?.text.keys == ["notice.agent_share_changed"])
        #expect(driver.state.agents.byID[agent]?.shares.isEmpty == true)
    }

    @Test(arguments: ["Ben (key 99)", "Ben“", "("])
    func `a name that looks like the words around it is not asked about`(name: String) throws {
        var (driver, room, agent) = try Self.driver()
        try driver.rooms(.renameRoom(room: room, name: name))
        try driver.agents(Self.proposal(agent, room))
        #expect(driver.open.allSatisfy { !$0.kind.asksOnDesktop })
        #expect(driver.state.views.main.agents.sharing?.proposal?.failure?.code == .tooMuchToShow)
    }

    @Test func `what the question does not name is not asked about`() throws {
        var (driver, room, _) = try Self.driver()
        try driver.agents(
            .addAgent(name: "reads", command: ["sh"], sandbox: AgentSandbox(network: false, readable: ["/home"])))
        try driver.agents(.addAgent(name: "keys", command: ["sh"], variables: "s"))
        for agent in driver.state.agents.inOrder where agent.name != "helper" {
            try driver.agents(Self.proposal(agent.id, room))
            #expect(driver.open.allSatisfy { !$0.kind.asksOnDesktop })
        }
    }

    @Test func `what one agent was let do is not chosen for the next`() throws {
        var (driver, room, agent) = try Self.driver()
        try driver.agents(.editSharingForm(agent: agent, readOnly: false))
        try driver.agents(.addAgent(name: "other", command: ["sh"]))
        let other = try #require(driver.state.agents.inOrder.first { $0.name == "other" }?.id)
        try driver.app(.navigate(to: Screen(.agentSettings, agent: other)))
        #expect(driver.tree.find("agent_settings.sharing.reading")?.isSelected == true)
        try driver.agents(Self.proposal(agent, room, " /project/ ", readOnly: false))
        #expect(driver.tree.find("share_with.\(room)")?.isBusy == false)
        try driver.event(.desktopAnswered(effect: driver.waiting(\.asksOnDesktop), isAccepted: true))
        #expect(driver.state.agents.byID[agent]?.shares.first?.folder == "/project")
        #expect(driver.state.views.main.agents.sharing == nil)
        try driver.agents(Self.proposal(agent, room, "/other"))
        #expect(driver.open.allSatisfy { !$0.kind.asksOnDesktop }, "the question does not say that a share ends")
    }

    @Test func `nobody in the circle is said, and an agent of somebody else is not shared on`() throws {
        var driver = try TestDriver()
        try driver.agents(.addAgent(name: "helper", command: ["opencode"]))
        let agent = try #require(driver.state.agents.inOrder.first?.id)
        try driver.app(.navigate(to: Screen(.agentSettings, agent: agent)))
        #expect(driver.tree.find("agent_settings.sharing.nobody") != nil)
        let room = try driver.member()
        try driver.event(.agentsOffered(room: room, agents: [AgentOffer(share: "s", name: "theirs", readOnly: true)]))
        let theirs = try #require(driver.state.agents.inOrder.first { $0.place.member != nil }?.id)
        try driver.app(.navigate(to: Screen(.agentSettings, agent: theirs)))
        #expect(driver.tree.find("agent_settings.sharing") == nil && driver.tree.find("agent_settings.devices") == nil)
        try driver.agents(Self.proposal(theirs, room))
        #expect(driver.state.notices.last?.text.keys == ["notice.share_of_others"])
    }

    @Test func `what would turn the question around is shown, and a report has none of it`() throws {
        var (driver, room, agent) = try Self.driver()
        try driver.rooms(.renameRoom(room: room, name: "Ben\u{202E}x"))
        try driver.agents(Self.proposal(agent, room, "/kit\u{1B}chen"))
        let kind = try #require(driver.state.pendingEffects[try driver.waiting(\.asksOnDesktop)])
        guard case .askOnDesktop(let subject) = kind else { return }
        #expect(!"\(subject.question)\(subject.detail)".unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{1B}" })
        let report = "\(Effect.Kind.redacted(kind)) \(driver.state.views.main.agents.redacted)"
        #expect(!report.contains("opencode") && !report.contains("chen") && !report.contains("Ben"))
    }
}

/// The devices that use agents of this machine.
@Suite struct ServedDeviceTests {
    private static let phone = ServedDevice(
        id: "phone", name: "A\u{202E} phone", pairedAt: Timestamp(milliseconds: 1000), lastSeen: nil)

    private static func shown(_ devices: [ServedDevice] = [phone]) throws -> TestDriver {
        var driver = try TestDriver()
        try driver.app(.navigate(to: Screen(.agentDevices)))
        #expect(driver.tree.find("agent_devices.reading") != nil)
        try driver.event(.devicesRead(effect: driver.waiting { $0 == .readDevices(revoking: nil) }, devices: devices))
        return driver
    }

    @Test func `they are shown, and one is let out`() throws {
        var driver = try Self.shown()
        let row = try #require(driver.tree.find("agent_devices.list")?.children.first?.id)
        #expect(driver.tree.find(row)?.detail?.keys.contains("agent_devices.unseen") == true)
        #expect(!driver.tree.lines.joined().unicodeScalars.contains("\u{202E}"))
        try driver.tap("\(row).revoke")
        #expect(driver.tree.find("\(row).revoke")?.isEnabled == false)
        let effect = try driver.waiting { $0 == .readDevices(revoking: "phone") }
        try driver.agents(.revokeDevice(device: "phone"))
        #expect(driver.open.count { $0.kind == .readDevices(revoking: "phone") } == 1, "one at a time")
        try driver.event(.devicesRead(effect: effect, devices: []))
        #expect(driver.tree.find("agent_devices.none") != nil)
    }

    @Test func `what fails is said, and what was known stays`() throws {
        var driver = try Self.shown()
        let row = try #require(driver.tree.find("agent_devices.list")?.children.first?.id)
        try driver.tap("\(row).revoke")
        try driver.fail(
            driver.waiting { $0 == .readDevices(revoking: "phone") }, Failure(.storageFailed, retryable: true))
        #expect(driver.tree.find("agent_devices.problem") != nil && driver.tree.find(row) != nil)
        try driver.tap("agent_devices.retry")
        try driver.event(.devicesRead(effect: driver.waiting { $0 == .readDevices(revoking: nil) }, devices: []))
        #expect(driver.tree.find("agent_devices.problem") == nil && driver.tree.find(row) == nil)
    }

    @Test func `only what is shown is let out, and late answers count for nothing`() throws {
        var driver = try TestDriver()
        try driver.agents(.revokeDevice(device: "phone"))
        try driver.event(.devicesRead(effect: EffectID(7), devices: [Self.phone]))
        #expect(driver.state.views.main.devices == nil && driver.open.isEmpty)
        try driver.app(.navigate(to: Screen(.agentDevices)))
        let effect = try driver.waiting { $0 == .readDevices(revoking: nil) }
        try driver.agents(.revokeDevice(device: "phone"))
        try driver.app(.back)
        #expect(driver.state.views.main.devices == nil && driver.open.isEmpty)
        try driver.event(.devicesRead(effect: effect, devices: [Self.phone]))
        #expect(driver.state.views.main.devices == nil)
    }

    @Test func `a gateway that tells too much is cut`() throws {
        let many = (0..<100).map {
            ServedDevice(
                id: "d\($0)", name: String(repeating: "n", count: 5000), pairedAt: Timestamp(milliseconds: 0),
                lastSeen: nil)
        }
        let driver = try Self.shown(
            [ServedDevice(id: "", name: "", pairedAt: .init(milliseconds: 0), lastSeen: nil)] + many)
        let known = try #require(driver.state.views.main.devices?.devices)
        #expect(known.count == 63 && known.allSatisfy { $0.name.utf8.count < 1000 })
    }
}

extension Effect.Kind {
    fileprivate var asksOnDesktop: Bool { if case .askOnDesktop = self { true } else { false } }
}
