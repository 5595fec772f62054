import AppCore

// What the other person does when told.

extension Simulator {
    /// `peer{do, room?, …}`; without `do` it only changes how the other person behaves.
    func peer(_ parameters: Parameters) throws -> JSONValue {
        try behave(parameters)
        guard let deed = try parameters.text("do") else {
            try change { try $0.change { world in for room in world.rooms.order { world.flush(room) } } }
            return .object(["peer": try JSONValue(simulation.world.settings.peer)])
        }
        if deed == "make_room" { return try makeRoom(parameters) }
        let room = try room(parameters)
        if deed == "hand_over" {
            let text = try parameters.needText("text")
            var handle = ""
            change { handle = $0.world.peerHandsOver(text, in: room) }
            return .object(["handle": .string(handle)])
        }
        let act = try Self.act(deed, parameters)
        return try acting { try change { try $0.change { try act(&$0, room) } } }
    }

    private func room(_ parameters: Parameters) throws -> RoomID {
        let rooms = simulation.world.rooms
        if let id = try parameters.text("room") {
            guard rooms[RoomID(id)] != nil else { throw SimulatorError(.badRequest, "peer: there is no room \(id).") }
            return RoomID(id)
        }
        guard let newest = rooms.order.last else {
            throw SimulatorError(.badRequest, "peer: there is no room yet; make or join one first.")
        }
        return newest
    }

    /// Changes the settings that are given.
    private func behave(_ parameters: Parameters) throws {
        var settings = try JSONValue(simulation.world.settings.peer)
        for key in PeerSettings.names { if let value = parameters[key] { settings[key] = value } }
        do {
            let peer = try JSON.decode(PeerSettings.self, from: JSON.encode(settings))
            change { $0.world.settings.peer = peer }
        } catch let error as DecodingError { throw SimulatorError(.badRequest, "peer", error) }
    }

    /// Another person makes a room, and tells the code.
    private func makeRoom(_ parameters: Parameters) throws -> JSONValue {
        let code = try parameters.text("code") ?? "654321"
        let words = try parameters.text("words_are") ?? "maple-otter"
        guard code.utf8.count == 6, code.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw SimulatorError(.badRequest, "peer: \"code\" is six digits.") }
        change { $0.world.settings.codes[code] = words }
        return .object(["code": .string(code)])
    }

    private typealias Act = (inout World, RoomID) throws -> Void

    private static func act(_ deed: String, _ parameters: Parameters) throws -> Act {
        switch deed {
        case "come": return { $0.peerArrives($1) }
        case "vanish": return { $0.peerVanishes($1) }
        case "leave": return { $0.tell(.peerLeft(room: $1, forever: false)) }
        case "delete": return { $0.tell(.peerLeft(room: $1, forever: true)) }
        case "see": return { $0.seeAll(in: $1) }
        case "type", "stop_typing": return { $0.tell(.typingChanged(room: $1, on: deed == "type")) }
        case "accept_file", "decline_file":
            return { $0.answerFile(deed == "accept_file" ? .accept : .decline, in: $1) }
        case "accept_lifetime", "decline_lifetime":
            return { $0.answerLifetime(deed == "accept_lifetime" ? .accept : .decline, in: $1) }
        case "revoke":
            let isHeard = try parameters.flag("heard") ?? true
            return { $0.peerRevokes($1, isHeard: isHeard) }
        case "share_note":
            let note = NoteID(try parameters.text("note") ?? "shared-note")
            let title = try parameters.text("title") ?? "Shared"
            return { $0.peerShares(note, title: title, in: $1) }
        case "stop_sharing_note":
            let note = NoteID(try parameters.text("note") ?? "shared-note")
            return { $0.peerStopsSharing(note, in: $1) }
        case "leave_keys":
            let keys = try parameters.needWhole("keys", in: 0...1_000_000)
            return { $0.setKeys(of: $1, to: Int(keys)) }
        case "send_unopenable":
            let reason = Failure.Code(rawValue: try parameters.needText("reason")) ?? .unreadable
            return { $0.tell(.sealedRefused(room: $1, reason: reason)) }
        default:
            let body = try body(deed, parameters)
            let seal = try parameters.text("seal").flatMap(Seal.init)
            return { world, room in
                guard world.rooms[room]?.isConnected == true else {
                    throw SimulatorError(.badRequest, "peer: the room is not connected; do \"come\" first.")
                }
                world.say(body, in: room, seal: seal)
            }
        }
    }

    private static func body(_ deed: String, _ parameters: Parameters) throws -> Body {
        switch deed {
        case "say": return .text(try parameters.needText("text"))
        case "offer_file":
            let bytes = try parameters.needWhole("bytes", in: 0...(1 << 40))
            return .file(FileOffer(name: try parameters.needText("name"), bytes: bytes))
        case "share_place":
            let latitude = try parameters.needNumber("latitude")
            return .location(Location(latitude: latitude, longitude: try parameters.needNumber("longitude")))
        case "propose_lifetime":
            guard let lifetime = Lifetime(rawValue: try parameters.needText("lifetime")) else {
                let choices = Lifetime.allCases.map(\.rawValue).joined(separator: ", ")
                throw SimulatorError(.badRequest, "peer: \"lifetime\" must be one of \(choices).")
            }
            return .lifetimeProposal(lifetime)
        case "trust": return .trust
        default:
            throw SimulatorError(
                .badRequest,
                "peer: \"do\" must be come, vanish, leave, delete, say, see, type, stop_typing, offer_file, accept_file,"
                    + " decline_file, share_place, propose_lifetime, accept_lifetime, decline_lifetime, trust, revoke,"
                    + " leave_keys, send_unopenable, hand_over, make_room, share_note or stop_sharing_note.")
        }
    }
}
