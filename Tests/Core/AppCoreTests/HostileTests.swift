import AppCore
import Testing

/// Whatever comes in: an error or nothing, never a trap.
@Suite struct HostileTests {
    @Test(arguments: [
        "", " ", "{", "}", "[]", "null", "1", "\"lock\"", "{}", #"{"type":null}"#, #"{"type":1}"#, #"{"type":""}"#,
        #"{"type":"_"}"#, #"{"type":"unknown"}"#, #"{"type":"sendText"}"#, #"{"type":"send_text"}"#,
        #"{"type":"send_text","room":"r"}"#, #"{"type":"send_text","room":1,"text":"x"}"#,
        #"{"type":"send_text","room":"","text":"x"}"#, #"{"type":"send_text","room":"../..","text":"x"}"#,
        #"{"type":"send_text","room":"a/b","text":"x"}"#, #"{"type":"send_text","room":"r","text":null}"#,
        #"{"type":"tick"#, #"{"type":"create_room","expires_in":1e400}"#, #"{"type":"create_room","expires_in":1.5}"#,
        #"{"type":"create_room","expires_in":99999999999999999999}"#, #"{"type":"effect_done","effect":-1}"#,
        #"{"type":"effect_done","effect":"1"}"#, #"{"type":"propose_lifetime","room":"r","lifetime":"2h"}"#,
        #"{"type":"navigate","to":"rooms"}"#, #"{"type":"navigate","to":{"page":"nowhere"}}"#,
        #"{"type":"message_received","room":"r","message":"m","sequence":1,"sent_at":1,"body":{"type":"virus"}}"#,
        #"{"type":"message_received","room":"r","message":"m","sequence":1,"sent_at":1,"body":{}}"#,
        #"{"type":"started","locked":false,"records":[{"key":"room/../x","json":""}]}"#,
    ]) func whatIsNoActionIsAnError(json: String) {
        #expect(throws: (any Error).self) { try JSON.decode(Action.self, from: json.utf8) }
    }

    @Test(arguments: [100, 10_000, 1_000_000]) func deepNestingIsAnError(depth: Int) {
        let json = String(repeating: #"{"type":"#, count: depth)
        #expect(throws: (any Error).self) { try JSON.decode(Action.self, from: json.utf8) }
        let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(throws: (any Error).self) { try JSON.decode(Action.self, from: list.utf8) }
    }

    @Test func badUTF8IsAnError() {
        let bytes = Array(#"{"type":"send_text","room":"r","text":""#.utf8) + [0xFF, 0xC0] + Array(#""}"#.utf8)
        #expect(throws: (any Error).self) { try JSON.decode(Action.self, from: bytes) }
    }

    @Test func unknownKeysAndFailureCodesAreForgiven() throws {
        let json =
            #"{"type":"effect_failed","effect":1,"new":1,"failure":{"code":"brand_new","message":"","retryable":true}}"#
        let failure = Failure(.other, retryable: true)
        #expect(
            try JSON.decode(Action.self, from: json.utf8)
                == .event(.effectFailed(effect: EffectID(1), failure: failure)))
    }

    /// Every action, about things that do not exist and with numbers at the edges.
    private static let absurd: [Action] = {
        let room: RoomID = "nobody"
        let message: MessageID = "nothing"
        let failure = Failure(.timeout, retryable: true, retryAfter: .min)
        let edges: [EffectID] = [EffectID(0), EffectID(1), EffectID(.max)]
        let aboutEffects = edges.flatMap { effect -> [Event] in
            [
                .effectDone(effect: effect), .effectFailed(effect: effect, failure: failure),
                .roomCreated(effect: effect, code: "", words: nil, expiresAt: Timestamp(milliseconds: .max)),
                .roomJoined(effect: effect, serverRoom: ""), .roomWatching(effect: effect, on: true),
                .roomPending(effect: effect), .roomAccepted(effect: effect, serverRoom: ""),
                .linkChanged(effect: effect, link: .connected, path: nil),
                .verificationChanged(effect: effect, outcome: .failed, safetyNumber: nil),
                .acknowledged(effect: effect), .vaultUnlocked(effect: effect, records: []),
                .vaultRejected(effect: effect, retryAfter: .max),
                .memberMet(effect: effect, role: .joiner, device: "", serverRoom: ""),
                .sealedByHand(effect: effect, handle: ""),
                .notesListed(effect: effect, notes: [], folders: []),
                .notesChanged(effect: effect, notes: [], removed: ["nothing"]),
                .foldersChanged(effect: effect, folders: []),
                .notesSyncChanged(effect: effect, remaining: .min, failure: failure),
                .noteText(effect: effect, revision: "", spans: []), .noteWritten(effect: effect, revision: ""),
                .notesFound(effect: effect, results: []), .noteDetails(effect: effect, details: NoteDetails()),
                .versionsListed(effect: effect, versions: []), .versionRead(effect: effect, text: ""),
                .summaryText(
                    effect: effect, text: CutText("", omitted: .max), expiresAt: Timestamp(milliseconds: .min)),
                .notesExported(effect: effect, path: "", count: .min), .notesImported(effect: effect, count: .max),
                .appsListed(
                    effect: effect, apps: [], components: [], core: AppsCore(bundle: "\u{0}"), strategies: []),
                .appsChanged(effect: effect, apps: [], removed: ["nothing"]),
                .appInspected(effect: effect, pack: AppPack(app: "nothing", name: "", version: "", digest: "")),
                .installProgress(effect: effect, done: .max, total: .min),
                .componentStarted(effect: effect, instance: "i", entrypoint: ""),
                .openedByHand(
                    effect: effect, room: room, message: message, sentAt: Timestamp(milliseconds: .max), body: .trust,
                    seal: nil),
            ]
        }
        let events: [Event] = [
            .tick, .reachabilityChanged(online: false), .reachabilityChanged(online: true),
            .peerLeft(room: room, forever: true),
            .messageReceived(
                room: room, message: message, sequence: .max, sentAt: Timestamp(milliseconds: .min), body: .peerLeft),
            .receipts(room: room, messages: [message]), .typingChanged(room: room, on: true),
            .fileProgress(room: room, message: message, bytes: .min),
            .fileFinished(room: room, message: message, path: ""),
            .fileFailed(room: room, message: message, failure: failure),
            .identityKnown(room: room, fingerprint: "", safetyNumber: ""),
            .keysChanged(room: room, ours: .min, theirs: .max, epoch: .min, level: .low),
            .sealedRefused(room: room, reason: .other), .trustRevoked(room: room),
            .noteOffered(room: room, note: "nothing", title: "\u{0}", adopted: true),
            .noteSharingChanged(room: room, note: "nothing", state: .live),
            .componentChanged(
                app: "nothing", instance: "i", entrypoint: "", state: .restarting, at: Timestamp(milliseconds: .min),
                reason: "\u{0}"),
            .appLogged(app: "nothing", level: .error, component: nil, text: "", at: Timestamp(milliseconds: .max)),
            .accessDenied(app: "nothing", capability: "c", text: ""), .appNotification(app: "nothing", text: ""),
            .appAsksUrl(app: "nothing", url: ""), .coreChanged(core: AppsCore()),
        ]
        let rooms: [RoomAction] = [
            .joinRoom(code: "", words: "w", name: ""), .retryRoom(room: room), .openRoom(room: room),
            .closeRoom(room: room), .leaveRoom(room: room), .renameRoom(room: room, name: ""),
            .pinRoom(room: room, pinned: true), .movePin(room: room, to: .min), .deleteRoom(room: room), .clearClosed,
            .muteRoom(room: room, muted: true),
            .createRoom(name: "", expiresIn: .min), .editCreate(name: "\u{0}", expiresIn: .max),
        ]
        let chat: [ChatAction] = [
            .leaveDraft(room: room, text: "a", author: ""),
            .setDraft(room: room, text: "x"), .setTyping(room: room, on: true), .sendText(room: room, text: "x"),
            .sendFile(room: room, name: "", bytes: .min, handle: "", media: .voice(duration: .max, waveform: [])),
            .sendLocation(room: room, latitude: .nan, longitude: .infinity, accuracy: -0),
            .sharePlace(room: room, text: "1, \u{0}"), .retryMessage(room: room, message: message),
            .acceptFile(room: room, message: message),
            .declineFile(room: room, message: message), .cancelFile(room: room, message: message),
            .pauseFile(room: room, message: message), .resumeFile(room: room, message: message),
            .compareSafetyNumber(room: room, matches: true), .proposeLifetime(room: room, lifetime: .keep),
            .answerLifetime(room: room, accept: true), .setEphemeral(room: room, on: true),
        ]
        let circle: [CircleAction] = [
            .trustPeer(room: room, name: ""), .declineTrust(room: room), .renewKeys(room: room),
            .revokeTrust(room: room, reason: ""), .sealByHand(room: room, text: "x"), .openByHand(handle: ""),
        ]
        let agents: [AgentAction] = [
            .addAgent(name: "", command: []), .addAgent(name: "a", command: ["\u{0}"]),
            .addModel(name: "\u{202E}", url: "\u{0}", model: "", key: "k"), .renameAgent(agent: "nothing", name: ""),
            .removeAgent(agent: "nothing"),
        ]
        let note: NoteID = "nothing"
        let notes: [NoteAction] = [
            .closeNotes, .openNote(note: note), .closeNote, .editNote(text: "\u{0}"), .saveNote,
            .discardDraft(note: note), .keepDraft(note: note), .appendToNote(note: note, text: "x"),
            .renameNote(note: note, title: ""), .moveNote(note: note, folder: "f"), .pinNote(note: note, on: true),
            .deleteNote(note: note), .restoreNote(note: note), .purgeNote(note: note), .searchNotes(query: "\u{0}"),
            .filterNotes(filter: NotebookFilter(.tag)), .showMoreNotes, .editFolder(name: "\u{0}"),
            .createFolder(name: "", parent: "f"), .renameFolder(folder: "f", name: ""),
            .moveFolder(folder: "f", parent: "f"), .deleteFolder(folder: "f", mode: .cascade),
            .shareNote(room: room, note: note), .stopSharingNote(room: room, note: note), .retryNotes, .openNotes,
        ]
        let app: AppID = "nothing"
        let apps: [AppsAction] = [
            .closeApps, .showApp(app: app), .showAppLog(app: app), .clearAppLog(app: app), .editSource(text: "\u{0}"),
            .installApp(source: " "), .switchRequest(capability: "c", on: true), .answerInstall(grants: ["c"]),
            .declineInstall, .removeApp(app: app, data: true), .grantCapability(app: app, capability: "c"),
            .revokeCapability(app: app, capability: "c"), .setBackground(app: app, strategy: .push),
            .editParameters(text: "\u{0}"), .runApp(app: app, component: "", command: "", parameters: [""]),
            .stopApp(app: app), .stopComponent(app: app, instance: "i"), .openUrl(app: app, url: ""),
            .declineUrl(app: app, url: ""), .editBundle(text: "\u{0}"), .chooseCore(bundle: ""),
            .chooseCore(bundle: nil), .installApp(source: "\u{0}x"), .retryApps, .openApps,
        ]
        let application: [AppAction] = [
            .navigate(to: Screen(.chat)), .back, .dismissNotice(notice: .max), .becameActive, .becameInactive,
            .tellWindow(on: false), .tellWindow(on: true),
            .tellSeen, .tellAbilities(can: Array(repeating: .documents, count: 100)), .tellAbilities(can: []),
            .seen(room: room, upTo: message), .lock,
            .unlock(passphrase: "p"), .setPassphrase(passphrase: nil, current: nil), .setAutoLock(on: true),
            .setServer(url: "\u{0}"), .setIceServers(servers: []),
            .addIceServer(url: "turn:\u{0}", username: "\u{202E}", credential: "k"),
            .removeIceServer(server: "nothing"), .checkIceServers,
        ]
        return (aboutEffects + events).map(Action.event) + rooms.map(Action.rooms) + chat.map(Action.chat)
            + circle.map(Action.circle) + notes.map(Action.notes) + apps.map(Action.apps)
            + agents.map(Action.agents)
            + application.map(Action.app)
    }()

    @Test(arguments: [Int64.min, -1, 0, .max]) func absurdActionsAtAbsurdTimesHarmNothing(time: Int64) throws {
        var core = Core()
        var random = SplitMix64(seed: UInt64(bitPattern: time))
        for action in Self.absurd + Self.absurd {
            let input = Input(at: Timestamp(milliseconds: time), fresh: Fresh(using: &random), action: action)
            _ = core.dispatch(input)
            _ = core.tree
        }
        #expect(core.state.rooms.isEmpty)
        #expect(try !JSON.encode(core.state).isEmpty)
    }

    @Test func clocksThatJumpHarmNothing() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.agree(room, on: .oneHour)
        for time in [0, Int64.max, 5, 1_700_000_000_000, .min] {
            driver.now = Timestamp(milliseconds: time)
            try driver.receive(room, MessageID("m\(time)"), .text("x"))
            try driver.event(.tick)
            try driver.chat(.setDraft(room: room, text: "\(time)"))
        }
        #expect(driver.state.rooms[room] != nil)
    }

    @Test func theSameFreshIdsTwiceMakeNothingTwice() {
        var core = Core()
        let input = Input(
            at: Timestamp(milliseconds: 1), fresh: Fresh(1, 2, 3, 4),
            action: .rooms(.createRoom(name: nil, expiresIn: 300)))
        #expect(core.dispatch(input).effects.count == 1)
        #expect(core.dispatch(input).effects.isEmpty)
        #expect(core.state.rooms.count == 1)
    }
}
