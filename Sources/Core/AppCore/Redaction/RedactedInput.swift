// What a bug report may show of a run: what happened and when, and nothing of what people said or are called.
//
// Texts keep their length and their spaces, so that limits and empty fields behave as they did; of what people wrote to each
// other only the beginning has a shape. There is no digest of a text: a short one could be guessed from it. Ids stay: they are
// random and mean something on this device only. Every case is named, so that a new one has to be thought about.

extension Input {
    /// The same input without content: it replays to the same screens with other words on them.
    package var redacted: Input { Input(at: at, fresh: fresh, view: view, action: action.redacted) }
}

extension AppState {
    /// The same state without content.
    package var redacted: AppState {
        var state = self
        state.settings = settings.redacted
        state.views.updateAll { $0 = $0.redacted }
        state.composers = composers.redacted
        state.rooms = RoomList(inOrder: rooms.map(\.redactedWhole))
        state.circle = circle.redacted
        state.notes = notes.redacted
        state.apps = apps.redacted
        state.agents = agents.redacted
        state.talks = talks.redacted
        state.notices = notices.map(\.redacted)
        state.storageFailure = storageFailure?.redacted
        state.serverCheck = serverCheck?.redacted
        state.iceServerChecks = iceServerChecks?.map(\.redacted)
        state.storageUsage = storageUsage?.redacted
        state.pendingEffects = pendingEffects.mapped { Effect.Kind.redacted($0) }
        return state
    }
}

extension Action {
    var redacted: Action {
        switch self {
        case .app(let action): .app(action.redacted)
        case .rooms(let action): .rooms(action.redacted)
        case .chat(let action): .chat(action.redacted)
        case .circle(let action): .circle(action.redacted)
        case .notes(let action): .notes(action.redacted)
        case .apps(let action): .apps(action.redacted)
        case .agents(let action): .agents(action.redacted)
        case .event(let event): .event(event.redacted)
        }
    }
}

extension AppAction {
    var redacted: AppAction {
        switch self {
        case .setServer(let url): .setServer(url: url.redactedURL)
        case .setIceServers(let servers): .setIceServers(servers: servers.map(\.redacted))
        case .addIceServer(let url, let username, let credential):
            // What is no address stays none.
            .addIceServer(
                url: IceServerAddress(url) == nil ? "redacted" : url.trimmed.redactedIceAddress,
                username: username?.redacted, credential: credential)
        case .setName(let name): .setName(name: name.redacted)
        case .openView, .closeView, .navigate, .back, .dismissNotice, .becameActive, .becameInactive, .tellWindow,
            .tellAbilities,
            .tellAway, .tellSeen, .seen, .setPalette, .lock, .unlock, .setPassphrase, .setAutoLock, .setNotifications,
            .setTheme,
            .setCover,
            .setLanguage, .endWelcome, .checkServer, .checkIceServers, .removeIceServer, .measureStorage,
            .setArchiveFiles, .exportProfile, .eraseAll:
            self
        case .restoreProfile(let handle, let passphrase):
            .restoreProfile(handle: handle.redacted, passphrase: passphrase)
        }
    }
}

extension RoomAction {
    var redacted: RoomAction {
        switch self {
        case .createRoom(let name, let expiresIn): .createRoom(name: name?.redacted, expiresIn: expiresIn)
        case .joinRoom(let code, let words, let name):
            .joinRoom(code: code.redacted, words: words, name: name?.redacted)
        case .renameRoom(let room, let name): .renameRoom(room: room, name: name.redacted)
        case .editCreate(let name, let expiresIn): .editCreate(name: name?.redacted, expiresIn: expiresIn)
        case .editJoin(let code, let words, let name):
            .editJoin(code: code?.redacted, words: words, name: name?.redacted)
        case .searchMessages(let query, let room): .searchMessages(query: query.redacted, room: room)
        case .retryRoom, .openRoom, .closeRoom, .leaveRoom, .pinRoom, .movePin, .muteRoom, .deleteRoom, .clearClosed,
            .showMessage:
            self
        }
    }
}

extension ChatAction {
    var redacted: ChatAction {
        switch self {
        case .setDraft(let room, let text): .setDraft(room: room, text: text.shape)
        case .sendText(let room, let text): .sendText(room: room, text: text.shape)
        case .sendFile(let room, let name, let bytes, let handle, let media):
            .sendFile(
                room: room, name: name.redacted, bytes: bytes, handle: handle.redacted, media: media?.redacted)
        // What was no place stays none.
        case .sharePlace(let room, let text):
            .sharePlace(room: room, text: Location(written: text) == nil ? text.shape : "0, 0")
        case .sendLocation(let room, _, _, _):
            .sendLocation(room: room, latitude: 0, longitude: 0, accuracy: nil)
        case .reply(let room, let message, let text): .reply(room: room, message: message, text: text.shape)
        case .react(let room, let message, let emoji):
            .react(room: room, message: message, emoji: emoji.map { _ in Reaction.redacted })
        case .editMessage(let room, let message, let text):
            .editMessage(room: room, message: message, text: text.shape)
        case .saveFile(let room, let message, let path):
            .saveFile(room: room, message: message, to: path.redacted)
        case .leaveDraft(let room, let text, let author):
            .leaveDraft(room: room, text: text.shape, author: author.redacted)
        case .recordVoice, .sendVoice, .cancelVoice, .takeDraft, .setTyping, .deleteMessage, .keepChanged,
            .retryMessage, .acceptFile, .declineFile, .cancelFile, .pauseFile, .resumeFile, .openFile, .loadEarlier,
            .loadLater, .findMessage,
            .compareSafetyNumber, .proposeLifetime,
            .answerLifetime, .setEphemeral:
            self
        }
    }
}

extension CircleAction {
    var redacted: CircleAction {
        switch self {
        case .trustPeer(let room, let name): .trustPeer(room: room, name: name?.redacted)
        case .revokeTrust(let room, let reason): .revokeTrust(room: room, reason: reason?.redacted)
        case .sealByHand(let room, let text): .sealByHand(room: room, text: text.shape)
        case .openByHand(let handle): .openByHand(handle: handle.redacted)
        case .declineTrust, .renewKeys: self
        }
    }
}

extension Event {
    var redacted: Event {
        switch self {
        case .started(let locked, let records, let recent):
            .started(locked: locked, records: records.map(\.redacted), recent: recent)
        case .historyLoaded(let effect, let records, let earlier, let unread):
            .historyLoaded(effect: effect, records: records.map(\.redacted), earlier: earlier, unread: unread)
        case .messagesFound(let effect, let hits, let isFinished):
            .messagesFound(effect: effect, hits: hits.map(\.redacted), isFinished: isFinished)
        case .recalled(let room, let records): .recalled(room: room, records: records.map(\.redacted))
        case .vaultUnlocked(let effect, let records):
            .vaultUnlocked(effect: effect, records: records.map(\.redacted))
        case .effectFailed(let effect, let failure): .effectFailed(effect: effect, failure: failure.redacted)
        case .storageChanged(let failure): .storageChanged(failure: failure?.redacted)
        case .fileFailed(let room, let message, let failure):
            .fileFailed(room: room, message: message, failure: failure.redacted)
        case .roomCreated(let effect, let code, let words, let expiresAt, let tickets):
            .roomCreated(
                effect: effect, code: code.redacted, words: words, expiresAt: expiresAt, tickets: tickets)
        case .roomTroubled(let room, let failure): .roomTroubled(room: room, failure: failure?.redacted)
        case .verificationChanged(let effect, let outcome, let safetyNumber):
            .verificationChanged(effect: effect, outcome: outcome, safetyNumber: safetyNumber?.redacted)
        case .messageReceived(let room, let message, let sequence, let sentAt, let body, let seal):
            .messageReceived(
                room: room, message: message, sequence: sequence, sentAt: sentAt, body: body.redacted, seal: seal)
        case .voiceRecorded(let effect, let name, let bytes, let handle, let media):
            .voiceRecorded(
                effect: effect, name: name.redacted, bytes: bytes, handle: handle.redacted, media: media.redacted)
        case .fileSaved(let effect, let path): .fileSaved(effect: effect, path: path.redacted)
        case .storageMeasured(let effect, let usage): .storageMeasured(effect: effect, usage: usage.redacted)
        case .profileExported(let effect, let handle, let name, let bytes):
            .profileExported(effect: effect, handle: handle.redacted, name: name.redacted, bytes: bytes)
        case .identityKnown(let room, let fingerprint, let safetyNumber):
            .identityKnown(room: room, fingerprint: fingerprint.redacted, safetyNumber: safetyNumber.redacted)
        case .sealedByHand(let effect, let handle): .sealedByHand(effect: effect, handle: handle.redacted)
        case .openedByHand(let effect, let room, let message, let sentAt, let body, let seal):
            .openedByHand(
                effect: effect, room: room, message: message, sentAt: sentAt, body: body.redacted, seal: seal)
        case .fileFinished(let room, let message, let path):
            .fileFinished(room: room, message: message, path: path?.redacted)
        case .notesListed(let effect, let notes, let folders):
            .notesListed(effect: effect, notes: notes.map(\.redacted), folders: folders.map(\.redacted))
        case .notesChanged(let effect, let notes, let removed):
            .notesChanged(effect: effect, notes: notes.map(\.redacted), removed: removed)
        case .foldersChanged(let effect, let folders):
            .foldersChanged(effect: effect, folders: folders.map(\.redacted))
        case .notesSyncChanged(let effect, let remaining, let failure):
            .notesSyncChanged(effect: effect, remaining: remaining, failure: failure?.redacted)
        case .noteText(let effect, let revision, let spans):
            .noteText(effect: effect, revision: revision, spans: spans.map(\.redacted))
        case .noteDetails(let effect, let details): .noteDetails(effect: effect, details: details.redacted)
        case .versionsListed(let effect, let versions):
            .versionsListed(effect: effect, versions: versions.map(\.redacted))
        case .versionRead(let effect, let text): .versionRead(effect: effect, text: text.redacted)
        case .notesExported(let effect, let path, let count):
            .notesExported(effect: effect, path: path.redacted, count: count)
        case .notesPacked(let effect, let handle, let name, let bytes):
            .notesPacked(effect: effect, handle: handle.redacted, name: name.redacted, bytes: bytes)
        case .notesFound(let effect, let results): .notesFound(effect: effect, results: results.map(\.redacted))
        case .noteOffered(let room, let note, let title, let adopted):
            .noteOffered(room: room, note: note, title: title.redacted, adopted: adopted)
        case .appsListed(let effect, let apps, let components, let core, let strategies):
            .appsListed(
                effect: effect, apps: apps, components: components.map(\.redacted), core: core.redacted,
                strategies: strategies)
        case .componentChanged(let app, let instance, let entrypoint, let state, let at, let reason):
            .componentChanged(
                app: app, instance: instance, entrypoint: entrypoint, state: state, at: at, reason: reason?.redacted)
        case .appLogged(let app, let level, let component, let text, let at):
            .appLogged(app: app, level: level, component: component, text: text.redacted, at: at)
        case .accessDenied(let app, let capability, let text):
            .accessDenied(app: app, capability: capability, text: text.redacted)
        case .appNotification(let app, let text): .appNotification(app: app, text: text.redacted)
        case .appAsksUrl(let app, let url): .appAsksUrl(app: app, url: url.redactedLink)
        case .coreChanged(let core): .coreChanged(core: core.redacted)
        case .agentTold(let effect, let first, let deltas):
            .agentTold(effect: effect, first: first, deltas: deltas.map(\.redacted))
        case .agentThreadsListed(let effect, let threads):
            .agentThreadsListed(effect: effect, threads: threads?.map(\.redacted))
        case .devicesRead(let effect, let devices): .devicesRead(effect: effect, devices: devices.map(\.redacted))
        case .gatewayPaired(let effect, let url, let fingerprint, let token):
            .gatewayPaired(effect: effect, url: url.redactedURL, fingerprint: fingerprint, token: token)
        case .summaryText(let effect, let text, let expiresAt):
            .summaryText(effect: effect, text: text.redacted, expiresAt: expiresAt)
        case .agentsOffered(let room, let agents): .agentsOffered(room: room, agents: agents.map(\.redacted))
        case .notesImported(let effect, let count, let left, let reason):
            .notesImported(effect: effect, count: count, left: left, reason: reason?.redacted)
        case .pictureKept(let effect, let picture): .pictureKept(effect: effect, picture: picture.redacted)
        case .memberWants(let room, let session, let wish):
            .memberWants(room: room, session: session, wish: wish.redacted)
        case .tick, .reachabilityChanged, .effectDone, .voiceBegan, .agentStarted, .appsChanged, .appInspected,
            .installProgress, .componentStarted, .noteWritten, .noteSharingChanged, .roomJoined,
            .roomWatching,
            .roomPending, .roomAccepted,
            .linkChanged, .peerRemembered, .peerLeft, .memberMet, .keysChanged, .sealedRefused, .trustRevoked,
            .acknowledged, .receipts, .receivedListed, .historyForgotten, .typingChanged, .fileRead, .fileProgress,
            .notificationOpened, .agentNotificationOpened, .vaultRejected, .messagesMoved, .desktopAnswered:
            self
        }
    }
}

extension Effect.Kind {
    static func redacted(_ kind: Effect.Kind) -> Effect.Kind {
        switch kind {
        case .createRoom(let address, let expiresIn): .createRoom(address: address.redacted, expiresIn: expiresIn)
        case .joinRoom(let address): .joinRoom(address: address.redacted)
        case .watchRoom(let address): .watchRoom(address: address.redacted)
        case .checkRoom(let address): .checkRoom(address: address.redacted)
        case .deleteRooms(let rooms): .deleteRooms(rooms: rooms.map(\.redacted))
        case .eraseAll(let rooms): .eraseAll(rooms: rooms.map(\.redacted))
        case .openLink(let address, let words, let servers):
            .openLink(address: address.redacted, words: words, iceServers: servers.map(\.redacted))
        case .leaveRoom(let address): .leaveRoom(address: address.redacted)
        case .deliver(let room, let message, let body, let sentAt):
            .deliver(room: room, message: message, body: body.redacted, sentAt: sentAt)
        case .meet(let address, let limit): .meet(address: address.redacted, limit: limit)
        case .revokeTrust(let address, let reason): .revokeTrust(address: address.redacted, reason: reason?.redacted)
        case .sealByHand(let room, let message, let body, let sentAt):
            .sealByHand(room: room, message: message, body: body.redacted, sentAt: sentAt)
        case .openByHand(let handle): .openByHand(handle: handle.redacted)
        case .createNote(let note, let title, let folder, let text):
            .createNote(note: note, title: title.redacted, folder: folder, text: text?.redacted)
        case .writeNote(let note, let base, let text): .writeNote(note: note, base: base, text: text.redacted)
        case .appendToNote(let note, let text): .appendToNote(note: note, text: text.redacted)
        case .changeNote(let note, let change): .changeNote(note: note, change: change.redacted)
        case .changeFolder(let folder, let change): .changeFolder(folder: folder, change: change.redacted)
        case .searchNotes(let query): .searchNotes(query: query.redacted)
        case .importNote(let name, let handle, let folder):
            .importNote(name: name.redacted, handle: handle.redacted, folder: folder)
        case .inspectApp(let source): .inspectApp(source: source.redacted)
        case .installApp(let source, let digest, let grants):
            .installApp(source: source.redacted, digest: digest, grants: grants)
        case .startApp(let app, let component, let command, let parameters):
            .startApp(app: app, component: component, command: command, parameters: parameters.map(\.redacted))
        case .openUrl(let url): .openUrl(url: url.redactedLink)
        case .searchMessages(let query, let room): .searchMessages(query: query.redacted, room: room)
        case .openFile(let path): .openFile(path: path.redacted)
        case .saveFile(let room, let file, let path):
            .saveFile(room: room, file: file.redacted, to: path.redacted)
        case .showNotification(let room, let title, let text):
            .showNotification(room: room, title: title.redacted, text: text?.redacted)
        case .checkServer(let server): .checkServer(server: server.redactedURL)
        case .checkIceServer(let server): .checkIceServer(server: server.redacted)
        case .startCore(let bundle): .startCore(bundle: bundle?.redacted)
        case .startAgentSession(let session, let place, let folder, let setup):
            .startAgentSession(
                session: session, place: place.redacted, folder: folder?.redactedPath, setup: setup?.redacted)
        case .listAgentThreads(let place, let folder):
            .listAgentThreads(place: place.redacted, folder: folder.redactedPath)
        case .interject(let session, let prompt, let text):
            .interject(session: session, prompt: prompt, text: text.shape)
        case .askOnDesktop(let subject): .askOnDesktop(about: subject.redacted)
        case .readDevices(let device): .readDevices(revoking: device?.redactedName)
        case .pairGateway(let name, let address): .pairGateway(name: name.redacted, address: address.redacted)
        case .chooseForAgent(let session, let kind, let option):
            .chooseForAgent(session: session, kind: kind, option: option.redactedName)
        case .showAgentNotification(let session, let title, let text):
            .showAgentNotification(session: session, title: title.redacted, text: text?.redacted)
        case .promptAgent(let session, let turn, let text, let pictures):
            .promptAgent(session: session, turn: turn, text: text.shape, pictures: pictures?.map(\.redacted))
        case .keepPicture(let session, let name, let handle):
            .keepPicture(session: session, name: name.redacted, handle: handle.redacted)
        case .answerAgent(let session, let request, let option):
            .answerAgent(session: session, request: request, option: option?.redacted)
        case .moveToolGrants(let from, let to): .moveToolGrants(from: from.redacted, to: to?.redacted)
        case .offerAgents(let room, let agents): .offerAgents(room: room, agents: agents?.map(\.redacted))
        case .takeBackInterjection, .sendToolToBackground, .cancelAgentTurn, .closeAgentSession, .refuseMember,
            .forgetShare, .giveAgent, .forgetPictures,
            .readForSummary:
            kind
        case .openApps, .closeApps, .removeApp, .setGrant, .setBackground, .stopApp,
            .openNotes, .closeNotes, .readNote, .releaseNote, .followNote, .unfollowNote, .listVersions, .readVersion,
            .exportNotes, .packNotes, .shareNote, .stopSharingNote, .stopMeeting, .renewKeys,
            .acknowledgeByHand, .closeLink, .confirmSafetyNumber, .withdraw, .acknowledge,
            .sendRead, .sendTyping, .acceptFile, .loadHistory, .findMessage, .findUnseen, .listReceived, .forgetHistory,
            .declineFile, .cancelFile, .pauseFile, .resumeFile, .recordVoice, .endVoice, .closeNotification,
            .closeAgentNotification, .schedule, .setPassphrase, .unlock,
            .lock, .forgetSecrets, .openPage, .measureStorage, .exportProfile:
            kind
        case .restoreProfile(let handle, let passphrase):
            .restoreProfile(handle: handle.redacted, passphrase: passphrase)
        }
    }
}
