import AppCore
import Foundation
import Host

/// `alcove room list`
struct RoomListCommand: Command {
    static let name = "room list"
    static let summary = "show the rooms of this profile"
    static let usage = "[--json]"
    static let options = ProfileOptions.all + [.flag("json", "print a JSON array")]
    static let examples = ["alcove room list", "alcove room list --json"]

    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        _ = try arguments.operands(0...0, "room list takes only options")
        self.arguments = arguments
    }

    private struct Line: Encodable {
        var id: String
        var name: String
        var status: String
        var code: String?
        var pinned: Bool
        var messages: Int
        var server: String
        var lastActivity: Int64
    }

    func run() async throws {
        let host = try await ProfileOptions.host(arguments)
        let lines = await host.read { state in
            state.rooms.map { room in
                Line(
                    id: room.id.text, name: room.name, status: room.status.rawValue, code: room.code,
                    pinned: room.pin != nil, messages: room.messages.count, server: room.server,
                    lastActivity: room.lastActivity.milliseconds)
            }.sorted { ($0.pinned ? 0 : 1, -$0.lastActivity) < ($1.pinned ? 0 : 1, -$1.lastActivity) }
        }
        await host.stop()
        if arguments.has("json") {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            Terminal.print(String(decoding: try encoder.encode(lines), as: UTF8.self))
        } else if lines.isEmpty {
            Terminal.print("No rooms yet. Open one with: alcove chat --create")
        } else {
            let width = lines.map(\.name.count).max() ?? 0
            for line in lines {
                let name = line.name.padding(toLength: width, withPad: " ", startingAt: 0)
                Terminal.print(
                    "\(line.pinned ? "*" : " ") \(name)  \(line.status)  \(line.messages) messages  "
                        + "\(line.code.map { "code \($0)  " } ?? "")\(line.id.prefix(8))")
            }
        }
    }
}

/// What the commands that change one room have in common: find it, ask the core, wait until the servers know.
struct RoomChange {
    let arguments: Arguments

    func apply(_ operand: String, _ action: @escaping @Sendable (RoomID) -> Action) async throws {
        let host = try await ProfileOptions.host(arguments)
        do {
            let room = try await host.read { state in Result { try RoomOperand(text: operand).find(in: state.rooms).id }
            }
            .get()
            await host.dispatch(action(room))
            try await settle(host)
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }

    func settle(_ host: AppHost) async throws {
        let settled: Bool? = await host.wait(upTo: .seconds(20)) { state in
            state.ledger.pending.values.contains { kind in
                switch kind {
                case .deleteRooms, .leaveRoom, .eraseAll: true
                default: false
                }
            } ? nil : true
        }
        guard settled == true else {
            throw CommandFailure(
                "it is done here, but the server could not be told yet; this happens at the next start",
                .temporaryFailure)
        }
        if let problem = await host.read({ $0.notices.last(where: { $0.kind == .problem })?.text }) {
            throw CommandFailure(problem, .unavailable)
        }
    }
}

/// `alcove room rename`
struct RoomRenameCommand: Command {
    static let name = "room rename"
    static let summary = "give a room another name"
    static let usage = "ROOM NAME"
    static let options = ProfileOptions.all
    static let examples = ["alcove room rename 482913 Ben"]

    private let change: RoomChange
    private let words: [String]

    init(_ arguments: Arguments) throws {
        words = try arguments.operands(2...2, "ROOM NAME")
        change = RoomChange(arguments: arguments)
    }

    func run() async throws {
        let name = words[1]
        try await change.apply(words[0]) { .rooms(.renameRoom(room: $0, name: name)) }
    }
}

/// `alcove room pin`
struct RoomPinCommand: Command {
    static let name = "room pin"
    static let summary = "keep a room at the top of the list, or not any more"
    static let usage = "ROOM [--off]"
    static let options = ProfileOptions.all + [.flag("off", "unpin it")]
    static let examples = ["alcove room pin Ben", "alcove room pin Ben --off"]

    private let change: RoomChange
    private let room: String
    private let pinned: Bool

    init(_ arguments: Arguments) throws {
        room = try arguments.operands(1...1, "ROOM")[0]
        pinned = !arguments.has("off")
        change = RoomChange(arguments: arguments)
    }

    func run() async throws {
        let pinned = pinned
        try await change.apply(room) { .rooms(.pinRoom(room: $0, pinned: pinned)) }
    }
}

/// `alcove room leave`
struct RoomLeaveCommand: Command {
    static let name = "room leave"
    static let summary = "leave a room; it stays in the list and can be opened again"
    static let usage = "ROOM"
    static let options = ProfileOptions.all
    static let examples = ["alcove room leave Ben"]

    private let change: RoomChange
    private let room: String

    init(_ arguments: Arguments) throws {
        room = try arguments.operands(1...1, "ROOM")[0]
        change = RoomChange(arguments: arguments)
    }

    func run() async throws {
        try await change.apply(room) { .rooms(.leaveRoom(room: $0)) }
    }
}

/// `alcove room delete`
struct RoomDeleteCommand: Command {
    static let name = "room delete"
    static let summary = "delete a room here and make the server forget it"
    static let usage = "ROOM"
    static let options = ProfileOptions.all
    static let examples = ["alcove room delete Ben"]

    private let change: RoomChange
    private let room: String

    init(_ arguments: Arguments) throws {
        room = try arguments.operands(1...1, "ROOM")[0]
        change = RoomChange(arguments: arguments)
    }

    func run() async throws {
        try await change.apply(room) { .rooms(.deleteRoom(room: $0)) }
    }
}

/// `alcove room erase-all`
struct RoomEraseAllCommand: Command {
    static let name = "room erase-all"
    static let summary = "delete every room and everything else in this profile"
    static let usage = "--yes"
    static let options = ProfileOptions.all + [.flag("yes", "really do it: nothing can be brought back")]
    static let examples = ["alcove room erase-all --yes"]

    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        _ = try arguments.operands(0...0, "room erase-all takes only options")
        guard arguments.has("yes") else {
            throw UsageError("this deletes every room and every message of the profile; say --yes if that is meant")
        }
        self.arguments = arguments
    }

    func run() async throws {
        let host = try await ProfileOptions.host(arguments)
        await host.dispatch(.app(.eraseAll))
        do {
            try await RoomChange(arguments: arguments).settle(host)
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }
}
