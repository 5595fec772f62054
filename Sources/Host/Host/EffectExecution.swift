import AppCore

/// Carries out what the core asks for: each effect by the subsystem that it is for, and answers it.
extension AppHost {
    /// The effects that last: which of them a report of the subsystem belongs to.
    struct HeldEffects {
        var links: [RoomID: EffectID] = [:]
        var watches: [RoomID: EffectID] = [:]
        var deliveries: [AppCore.MessageID: EffectID] = [:]

        mutating func forget(_ rooms: [RoomID]) {
            for room in rooms {
                links[room] = nil
                watches[room] = nil
            }
        }
    }

    func execute(_ effect: Effect) async {
        guard !isStopping else { return }
        switch effect.kind {
        case .createRoom, .joinRoom, .checkRoom, .watchRoom, .deleteRooms, .openLink, .closeLink, .leaveRoom,
            .confirmSafetyNumber:
            await executeRooms(effect)
        case .deliver, .withdraw, .acknowledge, .sendRead, .sendTyping, .acceptFile, .declineFile, .cancelFile,
            .pauseFile, .resumeFile:
            await executeChat(effect)
        case .meet, .stopMeeting, .renewKeys, .revokeTrust, .sealByHand, .openByHand, .acknowledgeByHand:
            await executeCircle(effect)
        case .openNotes, .closeNotes, .readNote, .releaseNote, .followNote, .unfollowNote, .listVersions,
            .readVersion, .exportNotes, .packNotes, .importNote, .createNote, .writeNote, .appendToNote, .changeNote,
            .changeFolder,
            .searchNotes, .shareNote, .stopSharingNote:
            await executeNotes(effect)
        case .openApps, .closeApps, .inspectApp, .installApp, .removeApp, .setGrant, .setBackground, .startApp,
            .stopApp, .openUrl, .startCore:
            executeApps(effect)
        case .startAgentSession, .promptAgent, .cancelAgentTurn, .answerAgent, .chooseForAgent, .closeAgentSession,
            .interject, .takeBackInterjection, .sendToolToBackground, .moveToolGrants, .offerAgents, .refuseMember,
            .forgetShare, .giveAgent, .keepPicture, .forgetPictures:
            await executeAgents(effect)
        case .listAgentThreads(let place, let folder): await listAgentThreads(effect.id, place, folder)
        case .readDevices(let device): readDevices(effect.id, revoking: device)
        case .pairGateway(_, let address): pairGateway(effect.id, address)
        case .readForSummary(let room, let note): readForSummary(effect.id, room, note)
        // Its view answers; the host has no microphone.
        case .recordVoice: break
        case .endVoice: done(effect.id)
        case .loadHistory, .findMessage, .findUnseen, .listReceived, .forgetHistory: executeHistory(effect)
        case .searchMessages(let query, let room): searchMessages(effect.id, query, in: room)
        case .exportProfile, .restoreProfile: executeArchive(effect)
        case .saveFile, .askOnDesktop, .showNotification, .closeNotification, .showAgentNotification,
            .closeAgentNotification,
            .openFile, .schedule, .setPassphrase, .unlock, .lock,
            .eraseAll,
            .forgetSecrets, .checkServer, .openPage, .checkIceServer, .measureStorage:
            await executeHere(effect)
        }
    }

    // How an effect is answered.

    /// For what may take long: does it beside the other effects and answers when it is done.
    func inBackground(_ id: EffectID, _ body: @escaping @Sendable () async throws -> Event) {
        inBackground(id, saying: { [try await body()] })
    }

    /// The same with several events; the states between them are not visible.
    func inBackground(_ id: EffectID, saying body: @escaping @Sendable () async throws -> [Event]) {
        tasks[id] = Task {
            let events: [Event]
            do {
                events = try await body()
            } catch {
                events = [.effectFailed(effect: id, failure: Failure(error))]
            }
            tasks[id] = nil
            // What the end of the host broke off is asked for again at the next start.
            guard !isStopping else { return }
            dispatch(events.map(Action.event))
        }
    }

    /// For what may take long and is answered by reports: only a failure answers here.
    func beside(_ id: EffectID, _ body: @escaping @Sendable () async throws -> Void) {
        tasks[id]?.cancel()
        tasks[id] = Task {
            var failure: Failure?
            do { try await body() } catch { failure = Failure(error) }
            guard !Task.isCancelled else { return }
            tasks[id] = nil
            if let failure, !isStopping { dispatch(.event(.effectFailed(effect: id, failure: failure))) }
        }
    }

    /// For what is quick: does it at once. Without `answers`, only a failure answers now; reports follow.
    func attempt(_ id: EffectID, answers: Bool = false, _ body: () async throws -> Void) async {
        do {
            try await body()
            if answers { done(id) }
        } catch {
            dispatch(.event(.effectFailed(effect: id, failure: Failure(error))))
        }
    }

    func done(_ id: EffectID) { dispatch(.event(.effectDone(effect: id))) }
}
