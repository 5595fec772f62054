import AppCore
import DataChannels
import Rooms

/// Carries the core's wishes about rooms and their links to the rooms subsystem.
extension AppHost {
    func executeRooms(_ effect: Effect) async {
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
        default: break
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
        // With words that cannot be right the code would be used up for nothing.
        if let digits = address.code, let words = read({ $0.rooms[address.room]?.words }).flatMap(profile.secret),
            (try? JoinCode(digits: digits, words: words)) == nil
        {
            throw Failure(.wordsUnknown)
        }
        let serverRoom = try await rooms.join(Rooms.RoomAddress(address))
        return .roomJoined(effect: id, serverRoom: ServerRoomID(serverRoom), tickets: try await tickets(address))
    }

    /// False if the server gives none. True is the normal case and is not reported.
    private func tickets(_ address: AppCore.RoomAddress) async throws -> Bool? {
        try await rooms.hasTicket(address.room.text) ? nil : false
    }

    private func check(_ id: EffectID, _ address: AppCore.RoomAddress) async throws -> Event {
        guard let serverRoom = try await rooms.check(Rooms.RoomAddress(address)) else {
            return .roomPending(effect: id)
        }
        return .roomAccepted(effect: id, serverRoom: ServerRoomID(serverRoom))
    }

    /// With its password, if it has one.
    func iceServer(_ server: IceServer) -> ICEServer {
        ICEServer(
            urls: server.urls,
            username: server.username,
            credential: server.credential.flatMap(profile.secret)
        )
    }
}
