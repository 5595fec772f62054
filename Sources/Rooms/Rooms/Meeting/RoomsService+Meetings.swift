import Cryptography
import DataChannels
import Sealing

/// Two people who know each other find each other again, without a code.
extension RoomsService {
    /// Looks for the other side of a room until it is found, ``stopMeeting(_:)`` is called, or the time is up.
    ///
    /// The room's link is closed. Afterwards the room has a new address, with which its link is opened; the keys it needs
    /// are stored. If the process dies in between, the same request gives the same room. A second request for a room
    /// whose search is under way waits for the same result; cancelling either ends the search.
    /// - Parameters:
    ///   - address: the last address of the room.
    ///   - limit: how long to look; nil: for ever.
    /// - Throws: `CancellationError`; ``SealingError`` with `noKeysYet` (the two never introduced themselves) or `revoked`;
    ///   ``RoomsFailure`` with `peerTimeout`, `codeSpent` (this room was refused for good), `badRequest` (the server does not
    ///   know meetings, or the other side was never verified), `unknownRoom` or `storageFailed`.
    package func meet(_ address: RoomAddress, limit: Duration? = nil) async throws -> MetRoom {
        try await meet(address, secret: conversation(address.room).session.meetingSecret(), limit: limit)
    }

    /// - Parameter secret: what the two share, at least 16 bytes.
    func meet(_ address: RoomAddress, secret: SecretBytes, limit: Duration?) async throws -> MetRoom {
        let search = search(address, secret)
        let alarm = limit.map { limit in
            Task {
                guard (try? await Task.sleep(for: limit)) != nil else { return false }
                search.cancel()
                return true
            }
        }
        let result = await withTaskCancellationHandler {
            await search.result
        } onCancel: {
            search.cancel()
        }
        alarm?.cancel()
        if case .failure(is CancellationError) = result, await alarm?.value == true {
            throw RoomsFailure(.peerTimeout, "the other side did not come")
        }
        return try result.get()
    }

    /// Ends the search for the other side of a room, if there is one, and gives up its reservation at the server.
    package func stopMeeting(_ room: String) async {
        guard let search = meetings[room] else { return }
        search.cancel()
        _ = await search.result
    }

    private func search(_ address: RoomAddress, _ secret: SecretBytes) -> Task<MetRoom, any Error> {
        if let running = meetings[address.room] { return running }
        let task = Task {
            defer { meetings[address.room] = nil }
            return try await find(address, MeetingPlace(secret: secret))
        }
        meetings[address.room] = task
        return task
    }

    private func find(_ address: RoomAddress, _ place: MeetingPlace) async throws -> MetRoom {
        stopWatching(address.room)
        closeLink(address.room)
        await closing[address.room]?.value
        let before = try keys(address.room)
        guard before.trust != .refused else { throw RoomsFailure(.codeSpent) }
        guard before.trust == .verified else {
            throw RoomsFailure(.badRequest, "only somebody who was verified can be found again")
        }
        let last = before.meeting?.met
        // The process died before its owner learned of this one.
        if let last, last.serverRoom != address.serverRoom { return last }
        let client = try RendezvousClient(network: network, server: address.server)
        let old = (device: address.device, ticket: before.ticket)
        var meeting = Meeting(
            place: place, client: client, server: address.server, network: network, pace: meetingPace,
            attempt: before.meeting?.attempt, leftover: last == nil ? nil : old,
            trouble: { [reports] in reports.yield(.trouble(room: address.room, $0)) }
        ) { [self] attempt throws(RoomsFailure) in try await note(attempt, address.room) }
        do {
            let found = try await meeting.run()
            try move(to: found, place, address.room)
            // The previous room is useless to both sides.
            if last == nil { Task { _ = try? await client.purge(devices: [old.device], tickets: [old.ticket]) } }
            return found.room
        } catch {
            // The other side must not find an empty room.
            Task { [meeting] in
                var meeting = meeting
                _ = try? await meeting.release()
            }
            throw error
        }
    }

    private func note(_ attempt: MeetingRecord.Attempt, _ room: String) throws(RoomsFailure) {
        do {
            var keys = try keys(room)
            keys.meeting = MeetingRecord(attempt: attempt, met: keys.meeting?.met)
            try save(keys, room)
        } catch let failure as RoomsFailure {
            throw failure
        } catch {
            throw RoomsFailure(.storageFailed)
        }
    }

    private func move(to found: FoundRoom, _ place: MeetingPlace, _ room: String) throws {
        let certificate = try Certificate.generate()
        var keys = try keys(room)
        let resumption = try place.resumption().withUnsafeBytes { Array($0) }
        keys.move(to: found, certificate: certificate, resumption: resumption)
        try save(keys, room)
    }
}
