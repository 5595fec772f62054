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
    /// What the core is asked, given the words after the room.
    let action: (_ room: RoomID, _ words: ArraySlice<String>, _ arguments: Arguments) -> Action

    static var all: [CommandEntry] { changes.map(\.entry) }

    private static var changes: [RoomChange] {
        [
            RoomChange(
                verb: "rename", summary: "give a room another name", usage: "NAME",
                examples: ["alcove room rename 482913 Ben"]
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
                verb: "delete", summary: "delete a room here and make the server forget it",
                examples: ["alcove room delete Ben"]
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
            let words = arguments.operands
            let result = try await ProfileOptions.attached(arguments) { host in
                let room = try await RoomOperand(text: words[0]).find(in: host, fits: fits).id
                let told = await host.read { $0.notices.map(\.id) }
                await host.dispatch(action(room, words[1...], arguments))
                try await Self.settle(host, told: Set(told))
                guard let now = await host.read({ $0.rooms[room] }) else {
                    return CommandResult(json: ["id": .string(room.text), "deleted": .bool(true)])
                }
                return CommandResult(json: RoomLine(now))
            }
            try result.show(arguments)
        }
    }

    /// Waits until the servers know what was done.
    /// - Parameter told: the notices from before, which are about something else.
    static func settle(_ host: any ProfileHost, told: Set<UInt64> = []) async throws {
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
            state.notices.last { $0.kind == .problem && !told.contains($0.id) }?.sentence
        }
        if let problem {
            throw CommandFailure(problem, .unavailable)
        }
    }
}
