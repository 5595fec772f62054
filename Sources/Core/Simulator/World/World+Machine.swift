import AppCore

// This machine: its clock, its vault, its disk.

/// What the world remembers about the machine.
struct MachineWorld: Sendable {
    /// The effect that asked to be woken last.
    var alarm: EffectID?
    /// The passphrase of the vault: what its reference stands for.
    var passphrase: String?
    var wrongAttempts = 0
    /// The last effect that erased everything; when it is asked for again, nothing more is there to erase.
    var erasure: EffectID?
    /// The rooms whose notification stands on the desktop.
    var notifications: Set<RoomID> = []
    /// Effects that came while the disk was full, oldest first.
    var waitingForDisk: [Effect] = []
}

extension World {
    mutating func noticeOnMachine(_ effect: Effect) {
        switch effect.kind {
        case .schedule:
            stopAlarm()
            machine.alarm = effect.id
        case .eraseAll where machine.erasure != effect.id:
            forgetEverything()
            machine.erasure = effect.id
            books.enter(effect, .held)
        case .showNotification(let room, _, _): machine.notifications.insert(room)
        case .closeNotification(let room): machine.notifications.remove(room)
        default: break
        }
    }

    mutating func carryOutOnMachine(_ effect: Effect) -> Bool {
        switch effect.kind {
        case .schedule(let time):
            books.note(effect.id, .planned)
            agenda.add(.ring, at: max(time, now))
        case .saveFile(_, _, let path): tell(.fileSaved(effect: effect.id, path: path), about: effect.id)
        case .setPassphrase(_, let current): setPassphrase(effect.id, current: current)
        case .unlock(let passphrase): unlock(effect.id, passphrase)
        // Only the disk knows what is on it: the records are put in when the core is told.
        case .loadHistory, .findMessage, .findUnseen:
            tell(.historyLoaded(effect: effect.id, records: []), about: effect.id)
        case .listReceived(_, _, let through, _):
            tell(.receivedListed(effect: effect.id, messages: [], through: through), about: effect.id)
        case .searchMessages:
            tell(.messagesFound(effect: effect.id, hits: [], isFinished: true), about: effect.id)
        case .forgetHistory:
            tell(
                .historyForgotten(effect: effect.id, orders: [], received: [], bytes: 0, expires: nil), about: effect.id
            )
        case .measureStorage:
            let usage = StorageUsage(folder: "/home/ann/alcove", database: 1 << 20, files: 3 << 20, notes: 1 << 16)
            tell(.storageMeasured(effect: effect.id, usage: usage), about: effect.id)
        case .exportProfile:
            tell(
                .profileExported(effect: effect.id, handle: "archive", name: "alcove.backup", bytes: 1 << 20),
                about: effect.id)
        // What the file holds is not of this world.
        case .restoreProfile: fail(effect.id, effect.kind.usualFailure)
        case .checkServer where !settings.online:
            fail(effect.id, Failure(.serverUnreachable, retryable: true))
        case .checkIceServer where !settings.online: fail(effect.id, effect.kind.usualFailure)
        case .forgetSecrets(let references):
            secrets.forget(references)
            done(effect.id)
        default: return false
        }
        return true
    }

    /// A later moment takes the place of an earlier one.
    private mutating func stopAlarm() {
        guard let alarm = machine.alarm else { return }
        books.close(alarm)
        agenda.remove { if case .ring = $0 { true } else { false } }
        machine.alarm = nil
    }

    private mutating func setPassphrase(_ effect: EffectID, current: SecretRef?) {
        if let known = machine.passphrase, current.map(secrets.resolve) != known {
            return fail(effect, Failure(.passphraseWrong))
        }
        tell(.effectDone(effect: effect), about: effect, after: settings.vaultDelayMs)
    }

    private mutating func unlock(_ effect: EffectID, _ passphrase: SecretRef) {
        if let known = machine.passphrase, secrets.resolve(passphrase) != known {
            machine.wrongAttempts += 1
            // From the third wrong attempt on there is a wait, which doubles.
            let wait: Int64? = machine.wrongAttempts < 3 ? nil : 1000 << Int64(min(machine.wrongAttempts - 3, 12))
            return tell(
                .vaultRejected(effect: effect, retryAfter: wait), about: effect, after: settings.vaultDelayMs)
        }
        machine.wrongAttempts = 0
        // The records are put in when the core is told.
        tell(.vaultUnlocked(effect: effect, records: []), about: effect, after: settings.vaultDelayMs)
    }

    mutating func observeOnMachine(_ event: Event) {
        switch event {
        case .effectDone(let effect):
            if case .setPassphrase(let passphrase, _) = books[effect] {
                machine.passphrase = passphrase.map(secrets.resolve)
            }
        case .tick: stopAlarm()
        case .started: processBegins()
        default: break
        }
    }

    /// Nothing that was under way is answered to the new process; it asks again.
    private mutating func processBegins() {
        agenda.removeAll()
        books.removeAll()
        machine.alarm = nil
        machine.notifications = []
        machine.waitingForDisk = []
        rooms.processEnded()
        circle.processEnded()
        notes.processEnded()
        apps.processEnded()
        agents = AgentsWorld()
        voices = VoicesWorld()
    }

    private mutating func forgetEverything() {
        agenda.removeAll()
        books.removeAll()
        secrets.removeAll()
        machine = MachineWorld()
        rooms = RoomsWorld()
        circle = CircleWorld()
        notes = NotesWorld()
        apps = AppsWorld()
        agents = AgentsWorld()
        voices = VoicesWorld()
    }

    /// Frees or fills the disk.
    mutating func setDiskFull(_ isFull: Bool) {
        settings.diskFull = isFull
        guard !isFull else { return }
        let waiting = machine.waitingForDisk
        machine.waitingForDisk = []
        for effect in waiting where books[effect.id] != nil { treat(effect) }
    }
}
