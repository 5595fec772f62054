import AppCore
import DataChannels
import Rooms

/// Carries the core's wishes to the rooms wing, and its answers back.
extension AppHost {
    /// The effects that last: which of them a report of the wing belongs to.
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
        let id = effect.id
        switch effect.kind {
        case .createRoom(let address, let expiresIn): inBackground(id) { try await self.create(id, address, expiresIn) }
        case .joinRoom(let address): inBackground(id) { try await self.join(id, address) }
        case .checkRoom(let address): inBackground(id) { try await self.check(id, address) }
        case .deleteRooms(let addresses):
            held.forget(addresses.map(\.room))
            inBackground(id) {
                try await self.rooms.delete(addresses.map(Rooms.RoomAddress.init))
                return .effectDone(effect: id)
            }
        case .watchRoom(let address):
            held.watches[address.room] = id
            await attempt(id) { try await self.rooms.watch(Rooms.RoomAddress(address), number: id.number) }
        case .openLink(let address, let words, let iceServers):
            held.links[address.room] = id
            await attempt(id) {
                try await self.rooms.openLink(
                    Rooms.RoomAddress(address),
                    number: id.number,
                    words: words.flatMap(self.profile.secret),
                    iceServers: iceServers.map(self.iceServer)
                )
            }
        case .closeLink(let room):
            held.links[room] = nil
            await rooms.closeLink(room.text)
            done(id)
        case .leaveRoom(let address):
            held.links[address.room] = nil
            let leaving = await rooms.leave(address.room.text)
            inBackground(id) {
                await leaving?.value
                return .effectDone(effect: id)
            }
        case .confirmSafetyNumber(let room, let matches):
            await attempt(id, answers: true) { await self.rooms.confirmSafetyNumber(room.text, matches: matches) }
        case .deliver(let room, let message, let body, let sentAt):
            held.deliveries[message] = id
            let deliver = { @Sendable in
                try await self.rooms.deliver(
                    OutgoingMessage(
                        id: Rooms.MessageID(message.text), sentAt: UInt64(clamping: sentAt.milliseconds),
                        content: OutgoingMessage.Content(body)),
                    in: room.text
                )
            }
            // A file is read first, and what is said meanwhile does not wait for it.
            if case .file = body { beside(id, deliver) } else { await attempt(id, deliver) }
        case .withdraw(let room, let messages):
            for message in messages {
                if let delivery = held.deliveries.removeValue(forKey: message) { tasks[delivery]?.cancel() }
            }
            await attempt(id, answers: true) {
                try await self.rooms.withdraw(messages.map { try Rooms.MessageID($0.text) }, in: room.text)
            }
        case .acknowledge(let room, let sequence):
            await attempt(id, answers: true) { try await self.rooms.acknowledge(upTo: sequence, in: room.text) }
        case .sendRead(let room, let messages):
            await rooms.sendRead(messages.compactMap { try? Rooms.MessageID($0.text) }, in: room.text)
            done(id)
        case .sendTyping(let room, let on):
            await rooms.sendTyping(on, in: room.text)
            done(id)
        case .acceptFile(let room, let message):
            await attempt(id, answers: true) {
                try await self.rooms.acceptFile(Rooms.MessageID(message.text), in: room.text)
            }
        case .declineFile(let room, let message):
            await attempt(id, answers: true) {
                try await self.rooms.declineFile(Rooms.MessageID(message.text), in: room.text)
            }
        case .cancelFile(let room, let message):
            let isBeingRead = held.deliveries[message].map { tasks[$0] != nil } ?? false
            await attempt(id, answers: true) {
                try await self.rooms.cancelFile(
                    Rooms.MessageID(message.text), beforeOffer: isBeingRead, in: room.text)
            }
        case .meet, .stopMeeting, .renewKeys, .revokeTrust, .sealByHand, .openByHand, .acknowledgeByHand:
            await executeCircle(effect)
        case .openNotes, .closeNotes, .readNote, .releaseNote, .createNote, .writeNote, .appendToNote, .changeNote,
            .changeFolder, .searchNotes, .shareNote, .stopSharingNote:
            await executeNotes(effect)
        case .openApps, .closeApps, .inspectApp, .installApp, .removeApp, .setGrant, .setBackground, .startApp,
            .stopApp, .openUrl, .startCore:
            executeApps(effect)
        case .schedule, .setPassphrase, .unlock, .lock, .eraseAll, .forgetSecrets:
            await executeHere(effect)
        }
    }

    private func create(
        _ id: EffectID,
        _ address: AppCore.RoomAddress,
        _ expiresIn: Int64
    ) async throws -> Event {
        let created = try await rooms.create(Rooms.RoomAddress(address), expiresIn: expiresIn)
        return .roomCreated(
            effect: id,
            code: created.digits,
            words: try profile.keep(secret: created.words),
            expiresAt: Timestamp(milliseconds: created.expiresAt),
            tickets: try await tickets(address)
        )
    }

    private func join(_ id: EffectID, _ address: AppCore.RoomAddress) async throws -> Event {
        let serverRoom = try await rooms.join(Rooms.RoomAddress(address))
        return .roomJoined(effect: id, serverRoom: ServerRoomID(serverRoom), tickets: try await tickets(address))
    }

    /// False if the server gives none; that it does is nothing to tell.
    private func tickets(_ address: AppCore.RoomAddress) async throws -> Bool? {
        try await rooms.hasTicket(address.room.text) ? nil : false
    }

    private func check(_ id: EffectID, _ address: AppCore.RoomAddress) async throws -> Event {
        guard let serverRoom = try await rooms.check(Rooms.RoomAddress(address)) else {
            return .roomPending(effect: id)
        }
        return .roomAccepted(effect: id, serverRoom: ServerRoomID(serverRoom))
    }

    private func iceServer(_ server: IceServer) -> ICEServer {
        ICEServer(
            urls: server.urls,
            username: server.username,
            credential: server.credential.flatMap(profile.secret)
        )
    }

    // How an effect is answered.

    /// For what may take long: does it beside the other effects and answers when it is done.
    func inBackground(_ id: EffectID, _ body: @escaping @Sendable () async throws -> Event) {
        inBackground(id, saying: { [try await body()] })
    }

    /// The same with more to say; nobody sees anything between these events.
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
    private func beside(_ id: EffectID, _ body: @escaping @Sendable () async throws -> Void) {
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
