extension AppState {
    mutating func reduce(_ event: Event, _ context: inout DispatchContext) {
        if let request = event.answeredRequest { context.answer(to: pendingEffects.asker(of: request)) }
        switch event {
        case .started(let locked, let records, let recent):
            start(locked: locked, records, recent: recent, &context)
        case .tick: tick(&context)
        case .reachabilityChanged(let online): reachabilityChanged(online, &context)
        case .storageChanged(let failure): storageFailure = failure
        case .effectDone(let effect): effectDone(effect, &context)
        case .effectFailed(let effect, let failure): effectFailed(effect, failure, &context)
        case .roomCreated(let effect, let code, let words, let expiresAt, let tickets):
            roomCreated(effect, code: code, words: words, expiresAt: expiresAt, tickets: tickets, &context)
        case .roomJoined(let effect, let serverRoom, let tickets):
            roomJoined(effect, serverRoom, tickets: tickets, &context)
        case .roomWatching(let effect, let on): roomWatching(effect, on, &context)
        case .roomPending(let effect): roomPending(effect, &context)
        case .roomAccepted(let effect, let serverRoom): roomAccepted(effect, serverRoom, &context)
        case .linkChanged(let effect, let link, let path): linkChanged(effect, link, path, &context)
        case .roomTroubled(let room, let failure): roomTroubled(room, failure)
        case .verificationChanged(let effect, let outcome, let safetyNumber):
            verificationChanged(effect, outcome, safetyNumber: safetyNumber, &context)
        case .peerRemembered(let effect): peerRemembered(effect, &context)
        case .peerLeft(let room, let forever): peerLeft(room, forever: forever, &context)
        case .messageReceived(let room, let message, let sequence, let sentAt, let body, let seal):
            messageReceived(room, message, sequence: sequence, sentAt: sentAt, body, seal, &context)
        case .acknowledged(let effect): acknowledged(effect, &context)
        case .receipts(let room, let messages): receipts(room, messages, &context)
        case .typingChanged(let room, let on): peerTyping(room, on, &context)
        case .historyLoaded(let effect, let records, let earlier, let unread):
            let before = earlier.map { MessageLog.Earlier(count: $0, unread: unread ?? 0) }
            historyLoaded(effect, records, earlier: before, &context)
        case .receivedListed(let effect, let messages, let through):
            receivedListed(effect, messages, through: through, &context)
        case .messagesFound(let effect, let hits, let isFinished):
            messagesFound(effect, hits, isFinished: isFinished, &context)
        case .historyForgotten(let effect, let orders, let received, let bytes, let expires):
            historyForgotten(effect, orders, received: Set(received), bytes: bytes, expires: expires, &context)
        case .recalled(let room, let records): recall(room, records, &context)
        case .fileRead(let room, let message, let bytes): fileRead(room, message, bytes: bytes)
        case .fileProgress(let room, let message, let bytes): fileProgress(room, message, bytes: bytes, &context)
        case .fileFinished(let room, let message, let path): fileFinished(room, message, path: path, &context)
        case .fileFailed(let room, let message, let failure): fileFailed(room, message, failure, &context)
        case .fileSaved(let effect, let path): fileSaved(effect, path: path, &context)
        case .voiceBegan(let effect): voiceBegan(effect, &context)
        case .voiceRecorded(let effect, let name, let bytes, let handle, let media):
            voiceRecorded(effect, FileOffer(name: name, bytes: bytes, media: media, handle: handle), &context)
        case .notificationOpened(let room): notificationOpened(room, &context)
        case .agentNotificationOpened(let session): agentNotificationOpened(session, &context)
        case .memberMet(let effect, let role, let device, let serverRoom):
            memberMet(effect, role: role, device: device, serverRoom: serverRoom, &context)
        case .identityKnown(let room, let fingerprint, let safetyNumber):
            identityKnown(room, fingerprint: fingerprint, safetyNumber: safetyNumber, &context)
        case .keysChanged(let room, let ours, let theirs, let epoch, let level):
            keysChanged(room, KeyState(ours: ours, theirs: theirs, epoch: epoch, level: level))
        case .sealedRefused(let room, let reason): sealedRefused(room, reason, context)
        case .trustRevoked(let room): trustRevoked(room, &context)
        case .sealedByHand(let effect, let handle): sealedByHand(effect, handle: handle, &context)
        case .openedByHand(let effect, let room, let message, let sentAt, let body, let seal):
            openedByHand(effect, room, message, sentAt: sentAt, body, seal, &context)
        case .notesListed(let effect, let notes, let folders): notesListed(effect, notes, folders)
        case .notesChanged(let effect, let notes, let removed):
            notesChanged(effect, notes, removed: removed, &context)
        case .foldersChanged(let effect, let folders): foldersChanged(effect, folders)
        case .notesSyncChanged(let effect, let remaining, let failure):
            notesSyncChanged(effect, remaining: remaining, failure)
        case .noteText(let effect, let revision, let spans): noteText(effect, revision: revision, spans)
        case .noteWritten(let effect, let revision): noteWritten(effect, revision: revision, &context)
        case .noteDetails(let effect, let details): noteDetails(effect, details)
        case .versionsListed(let effect, let versions): versionsListed(effect, versions, &context)
        case .versionRead(let effect, let text): versionRead(effect, text, &context)
        case .notesExported(let effect, let path, let count): notesExported(effect, path: path, count: count, &context)
        case .notesPacked(let effect, let handle, let name, let bytes):
            notesPacked(effect, ExportedFile(handle: handle, name: name, bytes: bytes), &context)
        case .notesImported(let effect, let count, let left, let reason):
            notesImported(effect, count: count, left: left ?? 0, reason, &context)
        case .notesFound(let effect, let results): notesFound(effect, results, &context)
        case .noteOffered(let room, let note, let title, let adopted):
            noteOffered(room, note, title: title, adopted: adopted, &context)
        case .noteSharingChanged(let room, let note, let state): noteSharingChanged(room, note, state, &context)
        case .appsListed(let effect, let apps, let components, let core, let strategies):
            appsListed(effect, apps, components, core, strategies)
        case .appsChanged(let effect, let apps, let removed): appsChanged(effect, apps, removed: removed)
        case .appInspected(let effect, let pack): appInspected(effect, pack, &context)
        case .installProgress(let effect, let done, let total): installProgress(effect, done: done, total: total)
        case .componentStarted(let effect, let instance, let entrypoint):
            componentStarted(effect, instance, entrypoint, &context)
        case .componentChanged(let app, let instance, let entrypoint, let state, let at, let reason):
            componentChanged(
                ListedComponent(
                    id: instance, app: app, entrypoint: entrypoint, state: state, at: at, reason: reason))
        case .appLogged(let app, let level, let component, let text, let at):
            appLogged(app, AppLogLine(level: level, component: component, text: text, at: at))
        case .accessDenied(let app, let capability, let text): accessDenied(app, capability, text, context)
        case .appNotification(let app, let text): appNotified(app, text, context)
        case .appAsksUrl(let app, let url): appAsksUrl(app, url)
        case .coreChanged(let core): coreChanged(core)
        case .agentStarted(let effect): agentStarted(effect)
        case .pictureKept(let effect, let picture): pictureKept(effect, picture, &context)
        case .summaryText(let effect, let text, let expiresAt):
            summaryText(effect, text, expiresAt: expiresAt, &context)
        case .agentThreadsListed(let effect, let threads): threadsListed(effect, threads, &context)
        case .devicesRead(let effect, let devices): devicesRead(effect, devices, &context)
        case .desktopAnswered(let effect, let isAccepted):
            desktopAnswered(effect, isAccepted: isAccepted, &context)
        case .gatewayPaired(let effect, let url, let fingerprint, let token):
            gatewayPaired(effect, url, fingerprint, token, &context)
        case .agentTold(let effect, let first, let deltas): agentTold(effect, deltas, after: first, &context)
        case .agentsOffered(let room, let agents): agentsOffered(room, agents, &context)
        case .memberWants(let room, let session, let wish): memberWants(room, session, wish, &context)
        case .storageMeasured(let effect, let usage): storageMeasured(effect, usage, &context)
        case .profileExported(let effect, let handle, let name, let bytes):
            profileExported(effect, ExportedFile(handle: handle, name: name, bytes: bytes), &context)
        case .vaultUnlocked(let effect, let records): vaultUnlocked(effect, records, &context)
        case .messagesMoved(let effect, let done, let total): messagesMoved(effect, done: done, total: total)
        case .vaultRejected(let effect, let retryAfter): vaultRejected(effect, retryAfter: retryAfter, &context)
        }
    }

    private mutating func effectDone(_ effect: EffectID, _ context: inout DispatchContext) {
        guard let kind = pendingEffects[effect] else { return }
        switch kind {
        case .createRoom, .joinRoom, .sealByHand, .openByHand, .unlock, .writeNote, .searchNotes, .inspectApp,
            .listVersions, .readVersion, .exportNotes, .packNotes, .importNote, .keepPicture, .loadHistory,
            .findMessage,
            .findUnseen, .listReceived, .forgetHistory, .searchMessages, .exportProfile, .readForSummary,
            .listAgentThreads, .readDevices, .pairGateway, .askOnDesktop:
            // These have an answer with content; without it the request has failed.
            effectFailed(effect, Failure(.other, "answered without a result", retryable: true), &context)
        case .schedule: tick(&context)
        case .deliver: acknowledged(effect, &context)
        case .watchRoom(let address): watchEnded(effect, address.room, nil, &context)
        case .checkRoom: roomPending(effect, &context)
        case .openLink(let address, _, _): linkEnded(effect, address.room, nil, &context)
        case .recordVoice: voiceEnded(effect, nil, &context)
        case .meet: meetingEnded(effect, nil, &context)
        case .renewKeys(let room): renewalEnded(effect, room, nil, &context)
        case .revokeTrust(let address, _): revocationEnded(effect, address, &context)
        case .openNotes: notesEnded(effect, nil, &context)
        case .readNote: readingEnded(effect, nil, &context)
        case .followNote: followingEnded(effect, nil, &context)
        case .changeNote(let note, .restoreVersion): versionRestored(effect, note, &context)
        case .changeNote(let note, .correct): corrected(effect, on: note, &context)
        case .createNote(let note, _, _, _): noteCreated(effect, note, &context)
        case .shareNote(let room, let note): sharingEnded(effect, room, note, nil, &context)
        case .openApps: appsEnded(effect, nil, &context)
        case .installApp: installed(effect, &context)
        case .removeApp(let app, _): removed(effect, app, &context)
        case .setGrant(let app, let capability, let on): grantWasSet(effect, app, capability, on, &context)
        case .setBackground(let app, let strategy): backgroundWasSet(effect, app, strategy, &context)
        case .startAgentSession: agentEnded(effect, nil, &context)
        case .promptAgent(let session, _, _, _): promptEnded(effect, session, nil, &context)
        case .chooseForAgent(let session, let kind, let option): choiceTaken(effect, session, kind, option, &context)
        case .checkServer: serverChecked(effect, nil, &context)
        case .checkIceServer: iceServerChecked(effect, nil, &context)
        case .setPassphrase(let passphrase, _):
            settle(effect, &context)
            passphraseWasSet(passphrase, &context)
        case .eraseAll:
            settle(effect, &context)
            context.changed(.counters)
            notify(.information, Wording.erased, context)
        default: settle(effect, &context)
        }
    }

    private mutating func effectFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        guard let kind = pendingEffects[effect] else { return }
        switch kind {
        case .createRoom(let address, _), .joinRoom(let address):
            settle(effect, &context)
            entryFailed(address.room, failure, &context)
        case .watchRoom(let address): watchEnded(effect, address.room, failure, &context)
        case .checkRoom(let address): checkFailed(effect, address.room, failure, &context)
        case .openLink(let address, _, _): linkEnded(effect, address.room, failure, &context)
        case .recordVoice: voiceEnded(effect, failure, &context)
        case .meet: meetingEnded(effect, failure, &context)
        case .renewKeys(let room): renewalEnded(effect, room, failure, &context)
        case .revokeTrust(let address, _):
            if failure.retryable { return park(effect, after: failure, &context) }
            revocationEnded(effect, address, &context)
            notify(.problem, Words(failure), context)
        case .deliver(let room, let message, _, _): deliveryFailed(effect, room, message, failure, &context)
        case .sealByHand(let room, let message, _, _): sealingFailed(effect, room, message, failure, &context)
        case .openByHand:
            settle(effect, &context)
            notify(.problem, Words(failure), context)
        case .openNotes: notesEnded(effect, failure, &context)
        case .readNote: readingEnded(effect, failure, &context)
        case .followNote: followingEnded(effect, failure, &context)
        case .listVersions, .readVersion: versionsFailed(effect, failure, &context)
        case .writeNote: writingFailed(effect, failure, &context)
        case .createNote, .appendToNote, .changeNote, .changeFolder: noteChangeFailed(effect, failure, &context)
        case .searchNotes: searchFailed(effect, failure, &context)
        case .shareNote(let room, let note): sharingEnded(effect, room, note, failure, &context)
        case .openApps: appsEnded(effect, failure, &context)
        case .inspectApp, .installApp: installationFailed(effect, failure, &context)
        case .removeApp, .setGrant, .setBackground, .startCore: appChangeFailed(effect, failure, &context)
        case .giveAgent:
            settle(effect, &context)
            notify(.problem, Wording.inputGone, context)
        case .chooseForAgent, .keepPicture, .startApp, .stopApp, .openUrl, .openFile, .exportNotes, .packNotes,
            .importNote,
            .exportProfile,
            .restoreProfile:
            settle(effect, &context)
            notify(.problem, Words(failure), context)
        case .startAgentSession: agentEnded(effect, failure, &context)
        case .promptAgent(let session, _, _, _): promptEnded(effect, session, failure, &context)
        case .readForSummary: summaryFailed(effect, failure, &context)
        case .listAgentThreads: listingFailed(effect, failure, &context)
        case .readDevices: readingDevicesFailed(effect, failure, &context)
        case .interject(let session, let prompt, _): interjectionFailed(effect, session, prompt, &context)
        case .sendToolToBackground:
            settle(effect, &context)
            notify(.problem, Wording.agentNotInBackground, context)
        case .askOnDesktop: askingFailed(effect, failure, &context)
        case .pairGateway: pairingFailed(effect, failure, &context)
        case .answerAgent(_, _, let option): answerFailed(effect, option, &context)
        case .saveFile(let room, _, _):
            settle(effect, &context)
            notify(.problem, Wording.savingSentence(for: failure), room: room, context)
        case .acceptFile(let room, let message):
            settle(effect, &context)
            fileFailed(room, message, failure, &context)
        case .forgetSecrets, .forgetPictures, .declineFile, .cancelFile, .pauseFile, .resumeFile:
            if failure.retryable { return park(effect, after: failure, &context) }
            settle(effect, &context)
        case .deleteRooms, .withdraw, .eraseAll:
            if failure.retryable { return park(effect, after: failure, &context) }
            settle(effect, &context)
            notify(.problem, Words(failure), context)
        case .unlock:
            settle(effect, &context)
            unlockingFailed(failure, &context)
        case .checkServer: serverChecked(effect, failure, &context)
        case .checkIceServer: iceServerChecked(effect, failure, &context)
        case .setPassphrase, .lock:
            settle(effect, &context)
            notify(.problem, Wording.passphraseSentence(for: failure), context)
        case .loadHistory, .findMessage, .findUnseen:
            settle(effect, &context)
            notify(.problem, Words(failure), context)
        case .searchMessages: messageSearchFailed(effect, failure, &context)
        case .forgetHistory(let room, _, _):
            settle(effect, &context)
            forgetHistoryLater(room, &context)
        case .schedule: tick(&context)
        case .openPage:
            settle(effect, &context)
            awaited = nil
        case .closeLink, .leaveRoom, .confirmSafetyNumber, .acknowledge, .sendRead, .sendTyping, .stopMeeting,
            .acknowledgeByHand, .closeNotes, .releaseNote, .unfollowNote, .stopSharingNote, .closeApps,
            .cancelAgentTurn, .closeAgentSession, .moveToolGrants, .offerAgents, .refuseMember, .forgetShare,
            .showNotification, .closeNotification, .showAgentNotification, .closeAgentNotification, .measureStorage,
            .listReceived, .endVoice, .takeBackInterjection:
            // Nothing a person could do: the peer notices by itself, or asks again.
            settle(effect, &context)
        }
    }
}
