import AppCore
import Apps
import Catalogues
import Components
import Cryptography
import Notifications
import Rooms
import Storage

/// Effects that concern this machine alone: the alarm clock, the vault, secrets, the end of everything.
extension AppHost {
    /// What the names of notifications about agents begin with; those of rooms are the rooms' ids.
    private static let agentNotification = "agent:"

    /// The person has chosen the notification of this name.
    static func opened(notification name: String) -> Event {
        name.hasPrefix(agentNotification)
            ? .agentNotificationOpened(session: AgentSessionID(String(name.dropFirst(agentNotification.count))))
            : .notificationOpened(room: RoomID(name))
    }

    /// In the person's language.
    var catalogue: Catalogue { Catalogue.speaking(read { $0.settings.language?.rawValue } ?? language) }

    /// What windows of apps say around them.
    var windowWords: WindowWords {
        let catalogue = catalogue
        return WindowWords(
            note: catalogue.text("app_window.note"), ended: catalogue.text("app_window.ended"),
            language: catalogue.language
        ) { catalogue.text(.key("app_window.\($0)")) }
    }

    /// What they say of something that an app asks for: the same as the page.
    func requestWords(_ request: CapabilityRequest, _ manifest: AppManifest) -> RequestWords {
        let (catalogue, request) = (catalogue, AppRequest(request, of: manifest, grants: nil))
        return RequestWords(
            title: catalogue.text(request.title), detail: request.detail.map(catalogue.text) ?? "")
    }

    private func show(_ name: String, _ title: Words, _ text: Words?, _ effect: EffectID) {
        let catalogue = catalogue
        notifications?.show(
            DesktopNotification(id: name, title: catalogue.text(title), text: text.map(catalogue.text) ?? ""))
        done(effect)
    }

    func executeHere(_ effect: Effect) async {
        let id = effect.id
        switch effect.kind {
        case .openFile(let path):
            inBackground(id) { [show] in
                guard show(path) else { throw Failure(.fileUnreadable, "the file is gone, or nothing here shows it") }
                return .effectDone(effect: id)
            }
        case .saveFile(_, let file, let place):
            inBackground(id) { [saving] in
                let copy = FileCopy(of: file, to: place)
                let path = try await withTaskCancellationHandler {
                    try await saving.run { () throws(FileCopy.Problem) in try copy.run() }
                } onCancel: {
                    copy.cancel()
                }
                return .fileSaved(effect: id, path: path)
            }
        case .showNotification(let room, let title, let text): show(room.text, title, text, id)
        case .showAgentNotification(let session, let title, let text):
            show(Self.agentNotification + session.text, title, text, id)
        case .askOnDesktop(let subject): ask(id, about: subject)
        case .closeNotification(let room):
            notifications?.close(room.text)
            done(id)
        case .closeAgentNotification(let session):
            notifications?.close(Self.agentNotification + session.text)
            done(id)
        case .schedule(let time): schedule(time)
        case .setPassphrase(let passphrase, let current):
            inBackground(id) {
                await self.makeRoomForKey()
                try self.setPassphrase(passphrase, current)
                await self.resealInBackground()
                return .effectDone(effect: id)
            }
            // A vault that is locked meanwhile could not be changed any more.
            await tasks[id]?.value
        case .unlock(let passphrase):
            inBackground(
                id,
                saying: {
                    let event = try await self.unlock(id, passphrase)
                    guard case .vaultUnlocked(_, let records) = event else { return [event] }
                    return [event] + (await self.keys(of: records.compactMap(\.member)))
                })
            Task { [task = tasks[id]] in
                await task?.value
                takeUpVault()
            }
        case .checkServer(let server):
            inBackground(id) { [rooms] in
                try await rooms.checkServer(server)
                return .effectDone(effect: id)
            }
        case .openPage:
            guard openPage?() == true else {
                return dispatch(.event(.effectFailed(effect: id, failure: Failure(.other))))
            }
            done(id)
        case .checkIceServer(let server):
            let server = iceServer(server)
            inBackground(id) { [rooms] in
                try await rooms.check(iceServer: server)
                return .effectDone(effect: id)
            }
        case .measureStorage:
            let measurement = StorageMeasurement(profile: profile.path, files: filesFolder, notes: notesFolder)
            inBackground(id) { [measuring] in
                .storageMeasured(effect: id, usage: await measuring.run { measurement.usage() })
            }
        case .lock:
            stopAskingOnDesktop()
            await rooms.pause()
            await sharing.close()
            await notes.close()
            await endApps { await $0.close() }
            await stopResealing()
            profile.vault.lock()
            // They take their time, and the key must not wait for them.
            await endAgents()
            done(id)
        case .eraseAll(let addresses):
            stopAskingOnDesktop()
            inBackground(id) { try await self.eraseAll(id, addresses) }
        case .forgetSecrets(let secrets): await attempt(id, answers: true) { try self.profile.forget(secrets: secrets) }
        default: break
        }
    }

    /// How long an alarm may sleep before it looks at the clock, in milliseconds: a clock that is set says nothing. Set forward,
    /// it may have passed the time of the alarm; set back, the core has to think again what it waits for.
    private static let longestSleep: Int64 = 5000

    /// At most one alarm is set; a later request replaces it.
    private func schedule(_ time: Timestamp) {
        alarm?.cancel()
        // Before the task begins, which may be later.
        let start = clock()
        alarm = Task { [clock] in
            var now = start
            while now < time {
                let wait = min(now.milliseconds(until: time), Self.longestSleep)
                guard (try? await Task.sleep(for: .milliseconds(wait))) != nil else { return }
                let before = now
                now = clock()
                if now < before { break }
            }
            guard !Task.isCancelled else { return }
            dispatch(.event(.tick))
        }
    }

    /// A change of the passphrase leaves an older key in the vault until everything is sealed anew, and the vault holds only
    /// so many. Many are left if processes were killed before they were done with it.
    private func makeRoomForKey() async {
        guard profile.vault.isFull else { return }
        resealInBackground()
        await resealing?.value
    }

    private nonisolated func setPassphrase(_ passphrase: SecretRef?, _ current: SecretRef?) throws {
        let present = current.flatMap(profile.takePassed)
        let protection: Vault.Protection
        if let passphrase {
            guard let new = profile.takePassed(passphrase) else { throw Failure(.other, "the passphrase was lost") }
            protection = .passphrase(new)
        } else {
            protection = .deviceKey
        }
        try profile.reserve.lent {
            try profile.vault.changeProtection(to: protection, current: present, now: clock().milliseconds)
        }
    }

    private func unlock(_ id: EffectID, _ passphrase: SecretRef) async throws -> Event {
        do { try profile.unlock(passed: passphrase, now: clock().milliseconds) } catch let error as VaultError {
            guard case .wrongPassphrase(let wait) = error.code else { throw error }
            return .vaultRejected(effect: id, retryAfter: wait)
        }
        try await moveMessages(id)
        return .vaultUnlocked(effect: id, records: try profile.records(recent: hasPages))
    }

    /// Messages of an older profile move beside this actor, so that whoever is attached sees how far they are.
    private func moveMessages(_ id: EffectID) async throws {
        let (steps, told) = AsyncStream<(done: Int, all: Int)>.makeStream(bufferingPolicy: .bufferingNewest(1))
        async let moved: Void = Self.move(profile) { [tellOfMove] done, all in
            tellOfMove?(done, all)
            told.yield((done, all))
        } end: {
            told.finish()
        }
        for await step in steps where !isStopping {
            dispatch(.event(.messagesMoved(effect: id, done: step.done, total: step.all)))
        }
        try await moved
    }

    @concurrent private nonisolated static func move(
        _ profile: Profile, tell: @escaping @Sendable (Int, Int) -> Void, end: @Sendable () -> Void
    ) async throws {
        defer { end() }
        try profile.moveMessages(tell: tell)
    }

    private nonisolated func eraseAll(_ id: EffectID, _ addresses: [AppCore.RoomAddress]) async throws -> Event {
        // The servers are told first, while the proof is still there; if one is out of reach, everything here goes all
        // the same: its rooms expire by themselves.
        try? await rooms.delete(addresses.map(Rooms.RoomAddress.init))
        await rooms.pause()
        await sharing.close()
        await notes.close()
        await endApps { await $0.end() }
        await endAgents()
        await stopResealing()
        do { try profile.erase(folders: [filesFolder, notesFolder, apps.path]) } catch {
            // It is tried again until nothing is left, also by the next process.
            throw Failure(.storageFailed, "not everything could be erased", retryable: true)
        }
        return .effectDone(effect: id)
    }
}
