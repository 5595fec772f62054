extension AppState {
    mutating func reduce(_ event: Event, _ turn: inout DispatchContext) {
        switch event {
        case .started(let locked, let records): start(locked: locked, records, &turn)
        case .tick: tick(&turn)
        case .reachabilityChanged(let online): reachabilityChanged(online, &turn)
        case .storageChanged(let failure): storageFailure = failure
        case .effectDone(let effect): effectDone(effect, &turn)
        case .effectFailed(let effect, let failure): effectFailed(effect, failure, &turn)
        case .roomCreated(let effect, let code, let words, let expiresAt, let tickets):
            roomCreated(effect, code: code, words: words, expiresAt: expiresAt, tickets: tickets, &turn)
        case .roomJoined(let effect, let serverRoom, let tickets):
            roomJoined(effect, serverRoom, tickets: tickets, &turn)
        case .roomWatching(let effect, let on): roomWatching(effect, on, &turn)
        case .roomPending(let effect): roomPending(effect, &turn)
        case .roomAccepted(let effect, let serverRoom): roomAccepted(effect, serverRoom, &turn)
        case .linkChanged(let effect, let link, let path): linkChanged(effect, link, path, &turn)
        case .roomTroubled(let room, let failure): roomTroubled(room, failure)
        case .verificationChanged(let effect, let outcome, let safetyNumber):
            verificationChanged(effect, outcome, safetyNumber: safetyNumber, &turn)
        case .peerRemembered(let effect): peerRemembered(effect, &turn)
        case .peerLeft(let room, let forever): peerLeft(room, forever: forever, &turn)
        case .messageReceived(let room, let message, let sequence, let sentAt, let body, let seal):
            messageReceived(room, message, sequence: sequence, sentAt: sentAt, body, seal, &turn)
        case .acknowledged(let effect): acknowledged(effect, &turn)
        case .receipts(let room, let messages): receipts(room, messages, &turn)
        case .typingChanged(let room, let on): peerTyping(room, on, &turn)
        case .fileRead(let room, let message, let bytes): fileRead(room, message, bytes: bytes)
        case .fileProgress(let room, let message, let bytes): fileProgress(room, message, bytes: bytes, &turn)
        case .fileFinished(let room, let message, let path): fileFinished(room, message, path: path, &turn)
        case .fileFailed(let room, let message, let failure): fileFailed(room, message, failure, &turn)
        case .memberMet(let effect, let role, let device, let serverRoom):
            memberMet(effect, role: role, device: device, serverRoom: serverRoom, &turn)
        case .identityKnown(let room, let fingerprint, let safetyNumber):
            identityKnown(room, fingerprint: fingerprint, safetyNumber: safetyNumber, &turn)
        case .keysChanged(let room, let ours, let theirs, let epoch, let level):
            keysChanged(room, KeyState(ours: ours, theirs: theirs, epoch: epoch, level: level))
        case .sealedRefused(let room, let reason): sealedRefused(room, reason)
        case .trustRevoked(let room): trustRevoked(room, &turn)
        case .sealedByHand(let effect, let handle): sealedByHand(effect, handle: handle, &turn)
        case .openedByHand(let effect, let room, let message, let sentAt, let body, let seal):
            openedByHand(effect, room, message, sentAt: sentAt, body, seal, &turn)
        case .notesListed(let effect, let notes, let folders): notesListed(effect, notes, folders)
        case .notesChanged(let effect, let notes, let removed):
            notesChanged(effect, notes, removed: removed, &turn)
        case .foldersChanged(let effect, let folders): foldersChanged(effect, folders)
        case .notesSyncChanged(let effect, let remaining, let failure):
            notesSyncChanged(effect, remaining: remaining, failure)
        case .noteText(let effect, let revision, let spans): noteText(effect, revision: revision, spans)
        case .noteWritten(let effect, let revision): noteWritten(effect, revision: revision, &turn)
        case .notesFound(let effect, let results): notesFound(effect, results, &turn)
        case .noteOffered(let room, let note, let title, let adopted):
            noteOffered(room, note, title: title, adopted: adopted, &turn)
        case .noteSharingChanged(let room, let note, let state): noteSharingChanged(room, note, state, &turn)
        case .appsListed(let effect, let apps, let components, let core, let strategies):
            appsListed(effect, apps, components, core, strategies)
        case .appsChanged(let effect, let apps, let removed): appsChanged(effect, apps, removed: removed)
        case .appInspected(let effect, let pack): appInspected(effect, pack, &turn)
        case .installProgress(let effect, let done, let total): installProgress(effect, done: done, total: total)
        case .componentStarted(let effect, let instance, let entrypoint):
            componentStarted(effect, instance, entrypoint, &turn)
        case .componentChanged(let app, let instance, let entrypoint, let state, let at, let reason):
            componentChanged(
                ListedComponent(
                    id: instance, app: app, entrypoint: entrypoint, state: state, at: at, reason: reason))
        case .appLogged(let app, let level, let component, let text, let at):
            appLogged(app, AppLogLine(level: level, component: component, text: text, at: at))
        case .accessDenied(let app, let capability, let text): accessDenied(app, capability, text, at: turn.now)
        case .appNotification(let app, let text): appNotified(app, text)
        case .appAsksUrl(let app, let url): appAsksUrl(app, url)
        case .coreChanged(let core): coreChanged(core)
        case .vaultUnlocked(let effect, let records): vaultUnlocked(effect, records, &turn)
        case .vaultRejected(let effect, let retryAfter): vaultRejected(effect, retryAfter: retryAfter, &turn)
        }
    }

    private mutating func effectDone(_ effect: EffectID, _ turn: inout DispatchContext) {
        guard let kind = pendingEffects[effect] else { return }
        switch kind {
        case .createRoom, .joinRoom, .sealByHand, .openByHand, .unlock, .writeNote, .searchNotes, .inspectApp:
            // These have an answer with content; without it the request has failed.
            effectFailed(effect, Failure(.other, "answered without a result", retryable: true), &turn)
        case .schedule: tick(&turn)
        case .deliver: acknowledged(effect, &turn)
        case .watchRoom(let address): watchEnded(effect, address.room, nil, &turn)
        case .checkRoom: roomPending(effect, &turn)
        case .openLink(let address, _, _): linkEnded(effect, address.room, nil, &turn)
        case .meet: meetingEnded(effect, nil, &turn)
        case .renewKeys(let room): renewalEnded(effect, room, nil, &turn)
        case .revokeTrust(let address, _): revocationEnded(effect, address, &turn)
        case .openNotes: notesEnded(effect, nil, &turn)
        case .readNote: readingEnded(effect, nil, &turn)
        case .createNote(let note, _, _, _): noteCreated(effect, note, &turn)
        case .shareNote(let room, let note): sharingEnded(effect, room, note, nil, &turn)
        case .openApps: appsEnded(effect, nil, &turn)
        case .installApp: installed(effect, &turn)
        case .removeApp(let app, _): removed(effect, app, &turn)
        case .setGrant(let app, let capability, let on): grantWasSet(effect, app, capability, on, &turn)
        case .setBackground(let app, let strategy): backgroundWasSet(effect, app, strategy, &turn)
        case .setPassphrase(let passphrase, _):
            settle(effect, &turn)
            passphraseWasSet(passphrase, &turn)
        case .eraseAll:
            settle(effect, &turn)
            turn.changed(.counters)
            notify(.information, Wording.erased)
        default: settle(effect, &turn)
        }
    }

    private mutating func effectFailed(_ effect: EffectID, _ failure: Failure, _ turn: inout DispatchContext) {
        guard let kind = pendingEffects[effect] else { return }
        switch kind {
        case .createRoom(let address, _), .joinRoom(let address):
            settle(effect, &turn)
            entryFailed(address.room, failure, &turn)
        case .watchRoom(let address): watchEnded(effect, address.room, failure, &turn)
        case .checkRoom(let address): checkFailed(effect, address.room, failure, &turn)
        case .openLink(let address, _, _): linkEnded(effect, address.room, failure, &turn)
        case .meet: meetingEnded(effect, failure, &turn)
        case .renewKeys(let room): renewalEnded(effect, room, failure, &turn)
        case .revokeTrust(let address, _):
            if failure.retryable { return park(effect, after: failure, &turn) }
            revocationEnded(effect, address, &turn)
            notify(.problem, Wording.sentence(for: failure))
        case .deliver(let room, let message, _, _): deliveryFailed(effect, room, message, failure, &turn)
        case .sealByHand(let room, let message, _, _): sealingFailed(effect, room, message, failure, &turn)
        case .openByHand:
            settle(effect, &turn)
            notify(.problem, Wording.sentence(for: failure))
        case .openNotes: notesEnded(effect, failure, &turn)
        case .readNote: readingEnded(effect, failure, &turn)
        case .writeNote: writingFailed(effect, failure, &turn)
        case .createNote, .appendToNote, .changeNote, .changeFolder: noteChangeFailed(effect, failure, &turn)
        case .searchNotes: searchFailed(effect, failure, &turn)
        case .shareNote(let room, let note): sharingEnded(effect, room, note, failure, &turn)
        case .openApps: appsEnded(effect, failure, &turn)
        case .inspectApp, .installApp: installationFailed(effect, failure, &turn)
        case .removeApp, .setGrant, .setBackground, .startCore: appChangeFailed(effect, failure, &turn)
        case .startApp, .stopApp, .openUrl:
            settle(effect, &turn)
            notify(.problem, Wording.sentence(for: failure))
        case .acceptFile(let room, let message):
            settle(effect, &turn)
            fileFailed(room, message, failure, &turn)
        case .forgetSecrets, .declineFile, .cancelFile:
            if failure.retryable { return park(effect, after: failure, &turn) }
            settle(effect, &turn)
        case .deleteRooms, .withdraw, .eraseAll:
            if failure.retryable { return park(effect, after: failure, &turn) }
            settle(effect, &turn)
            notify(.problem, Wording.sentence(for: failure))
        case .unlock:
            settle(effect, &turn)
            unlockingFailed(failure, &turn)
        case .setPassphrase, .lock:
            settle(effect, &turn)
            notify(.problem, Wording.passphraseSentence(for: failure))
        case .schedule: tick(&turn)
        case .closeLink, .leaveRoom, .confirmSafetyNumber, .acknowledge, .sendRead, .sendTyping, .stopMeeting,
            .acknowledgeByHand, .closeNotes, .releaseNote, .stopSharingNote, .closeApps:
            // Nothing a person could do: the peer notices by itself, or asks again.
            settle(effect, &turn)
        }
    }
}
