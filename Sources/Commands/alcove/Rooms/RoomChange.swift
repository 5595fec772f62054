import AppCore
import Catalogues
import Host

/// A command that changes one room: finds it, asks the core, and waits until the servers know.
struct RoomChange {
    /// The word after `room`.
    let verb: String
    let summary: String
    /// What follows the room.
    var usage = ""
    var options: [Arguments.Option] = []
    let examples: [String]
    /// Which rooms it can be about.
    var fits: @Sendable (Room) -> Bool = { _ in true }
    /// Whether the word after the room is a name.
    var takesName = false
    /// Whether the room goes, and with it the trust in somebody of the circle: that has to be confirmed.
    var deletes = false
    /// What the core is asked, given the words after the room.
    let action: (_ room: RoomID, _ words: ArraySlice<String>, _ arguments: Arguments) -> Action

    static var all: [CommandEntry] { changes.map(\.entry) }

    private static var changes: [RoomChange] {
        [
            RoomChange(
                verb: "rename", summary: "give a room another name", usage: "NAME",
                examples: ["alcove room rename 482913 Ben"], takesName: true
            ) { room, words, _ in .rooms(.renameRoom(room: room, name: words.first ?? "")) },
            RoomChange(
                verb: "pin", summary: "keep a room at the top of the list, or not any more",
                options: [.flag("off", "unpin it")], examples: ["alcove room pin Ben", "alcove room pin Ben --off"]
            ) { room, _, arguments in .rooms(.pinRoom(room: room, pinned: !arguments.has("off"))) },
            RoomChange(
                verb: "mute", summary: "have the desktop tell nothing of a room, or again",
                options: [.flag("off", "unmute it")], examples: ["alcove room mute Ben", "alcove room mute Ben --off"]
            ) { room, _, arguments in .rooms(.muteRoom(room: room, muted: !arguments.has("off"))) },
            RoomChange(
                verb: "leave", summary: "leave a room; it stays in the list and can be opened again",
                examples: ["alcove room leave Ben"], fits: { !$0.status.isOver }
            ) { room, _, _ in .rooms(.leaveRoom(room: room)) },
            RoomChange(
                verb: "delete",
                summary: "delete a room here and make the server forget it; in your circle, the trust ends with it",
                options: [
                    .flag("yes", "really delete the room of somebody in your circle: every key you share goes with it")
                ],
                examples: ["alcove room delete 482913", "alcove room delete Ben --yes"], deletes: true
            ) { room, _, _ in .rooms(.deleteRoom(room: room)) },
        ]
    }

    private var entry: CommandEntry {
        let usage = usage.isEmpty ? "ROOM" : "ROOM " + usage
        let count = usage.split(separator: " ").count
        let reference = CommandReference(
            "room " + verb, usage, summary, takes: .some(count...count, usage),
            options: ProfileOptions.all + options + [CommandResult.option],
            examples: examples)
        return CommandEntry(reference) { arguments in
            if takesName { try WrittenName.check(arguments.operands[1]) }
            try await ProfileOptions.attached(arguments) { try await result(of: arguments, $0) }.show(arguments)
        }
    }

    private func result(of arguments: Arguments, _ host: any ProfileHost) async throws -> CommandResult {
        let words = arguments.operands
        let operand = RoomOperand(text: words[0], meansEvery: deletes)
        let room = try await operand.find(in: host, fits: fits)
        guard !deletes || !room.canRevoke || arguments.has("yes") else {
            throw UsageError(
                "\(room.title) is in your circle: this ends the trust, and every key you share goes with the room; say --yes if that is meant"
            )
        }
        let told = await host.read { Set($0.notices.map(\.id)) }
        await host.dispatch(action(room.id, words[1...], arguments))
        try await Self.settle(host, about: room.id, told: told)
        guard let now = await host.read({ $0.rooms[room.id] }) else { return Self.deletion(of: room) }
        let isAsWritten = !takesName || now.name == words[1]
        return CommandResult(isAsWritten ? nil : "it is called \(now.title) now", json: RoomLine(now))
    }

    private static func deletion(of room: Room) -> CommandResult {
        var members: [String: JSONValue] = ["id": .string(room.id.text), "deleted": .bool(true)]
        guard room.canRevoke else { return CommandResult(json: members) }
        members["trust_ended"] = .bool(true)
        return CommandResult(
            "\(room.title) is deleted, and the trust between you has ended. The keys are gone: alcove circle tombstones",
            json: members)
    }

    /// Waits until the servers know what was done.
    /// - Parameters:
    ///   - room: the room that it was done to; nil for all, of which what is about none of them is told.
    ///   - told: the notices from before, which are about something else.
    static func settle(
        _ host: any ProfileHost, about room: RoomID? = nil, told: Set<UInt64> = []
    ) async throws {
        let settled: Bool? = await host.wait(upTo: .seconds(20)) { state in
            state.pendingEffects.byID.values.contains { kind in
                switch kind {
                case .deleteRooms, .leaveRoom, .revokeTrust, .eraseAll: true
                default: false
                }
            } ? nil : true
        }
        guard settled == true else {
            if let failure = await host.read(\.storageFailure) {
                throw CommandFailure(failure.passphraseSentence, .temporaryFailure)
            }
            throw CommandFailure(
                "it is done here, but the server could not be told yet; this happens at the next start",
                .temporaryFailure)
        }
        let problem = await host.read { state in
            state.notices.last {
                $0.kind == .problem && !told.contains($0.id) && ($0.room == nil || $0.room == room)
            }?.sentence
        }
        if let problem {
            throw CommandFailure(problem, .unavailable)
        }
    }
}
