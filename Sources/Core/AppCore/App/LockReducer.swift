extension AppState {
    /// Drops all content from the state, so that neither a tree nor a trace shows it, and has the key forgotten.
    mutating func lockNow(_ context: inout DispatchContext) {
        guard !lock.isLocked else { return }
        guard settings.hasPassphrase else { return notify(.information, Wording.noPassphrase, context) }
        for room in rooms where room.live.linkEffect != nil { issue(.closeLink(room: room.id), &context) }
        for index in rooms.indices { stopSeeking(index, &context) }
        if notes.isOpen || !notes.editors.isEmpty { issue(.closeNotes, &context) }
        if apps.isOpen { issue(.closeApps, &context) }
        closeTalks(&context)
        forget(views.compactMap(\.joinForm.words) + views.compactMap(\.agents.key), &context)
        endRecordings(&context)
        awaited = nil
        issue(.lock, &context)
        // What is under way about rooms is in the records, and is taken up again under the old ids after unlocking.
        pendingEffects.keep { kind in
            switch kind {
            case .lock, .schedule, .closeLink, .stopMeeting, .closeNotes, .closeApps, .setPassphrase, .eraseAll,
                .forgetSecrets, .closeAgentSession, .endVoice:
                true
            default: false
            }
        }
        rooms = RoomList()
        circle = Circle()
        notes = Notebook()
        apps = AppsState()
        agents = AgentList()
        talks = AgentTalks()
        composers = Composers()
        (serverCheck, iceServerChecks, storageUsage) = (nil, nil, nil)
        views.updateAll { $0 = $0.emptied }
        notices = []
        lock = Lock(isLocked: true, endedAgents: true)
    }

    mutating func unlock(_ passphrase: SecretRef, _ context: inout DispatchContext) {
        guard lock.isLocked, lock.attempt == nil else { return }
        if let retryAt = lock.retryAt, context.now < retryAt {
            let wait = context.now.milliseconds(until: retryAt)
            return notify(.problem, Wording.passphraseTooEarly(milliseconds: wait), context)
        }
        notices = []
        lock.retryAt = nil
        lock.attempt = issue(.unlock(passphrase: passphrase), &context)
    }

    mutating func vaultUnlocked(_ effect: EffectID, _ records: [Record], _ context: inout DispatchContext) {
        guard lock.attempt == effect, settle(effect, &context) != nil else { return }
        let endedAgents = lock.endedAgents == true
        lock = Lock()
        load(records, &context)
        if endedAgents { forgetSupervisors(&context) }
        resume(&context)
        wakeUp(&context)
    }

    /// The vault is open, and what an older version left is put where it belongs.
    mutating func messagesMoved(_ effect: EffectID, done: Int, total: Int) {
        guard lock.attempt == effect, total > 0 else { return }
        lock.moved = Moved(done: min(max(done, 0), total), total: total)
    }

    mutating func vaultRejected(_ effect: EffectID, retryAfter: Int64?, _ context: inout DispatchContext) {
        guard lock.attempt == effect, settle(effect, &context) != nil else { return }
        unlockingFailed(Failure(.passphraseWrong, retryAfter: retryAfter), &context)
    }

    /// Also an attempt that was not made, because it came too early: then nothing is said about the passphrase.
    mutating func unlockingFailed(_ failure: Failure, _ context: inout DispatchContext) {
        (lock.attempt, lock.moved) = (nil, nil)
        notify(.problem, Wording.passphraseSentence(for: failure), context)
        // No attempt counts before this time has passed.
        guard let wait = failure.retryAfter, wait > 0 else { return }
        let time = context.now.advanced(byMilliseconds: wait)
        lock.retryAt = time
        wake(at: time, &context)
    }

    mutating func setPassphrase(_ passphrase: SecretRef?, current: SecretRef?, _ context: inout DispatchContext) {
        guard !lock.isLocked else { return }
        let isUnderWay = pendingEffects.contains { if case .setPassphrase = $0 { true } else { false } }
        guard !isUnderWay else { return }
        guard passphrase != nil || settings.hasPassphrase else {
            return notify(.information, Wording.nothingToRemove, context)
        }
        guard current != nil || !settings.hasPassphrase else {
            return notify(.problem, Wording.currentPassphraseNeeded, context)
        }
        issue(.setPassphrase(passphrase: passphrase, current: current), &context)
    }

    mutating func passphraseWasSet(_ passphrase: SecretRef?, _ context: inout DispatchContext) {
        settings.hasPassphrase = passphrase != nil
        settings.autoLock = settings.autoLock && settings.hasPassphrase
        context.changed(.settings)
        notify(.information, passphrase == nil ? Wording.passphraseRemoved : Wording.passphraseSet, context)
    }

    mutating func setAutoLock(_ on: Bool, _ context: inout DispatchContext) {
        guard !lock.isLocked, settings.autoLock != on else { return }
        guard settings.hasPassphrase || !on else { return notify(.information, Wording.noPassphrase, context) }
        settings.autoLock = on
        context.changed(.settings)
    }
}
