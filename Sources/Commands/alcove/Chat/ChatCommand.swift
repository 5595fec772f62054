import AppCore
import Catalogues
import Foundation
import Host
import Rooms

/// `alcove chat`: one conversation, line by line.
struct ChatCommand: Command {
    static let reference = CommandReference(
        "chat", "--create | CODE | ROOM",
        "open a room, join one with a code, or go on in one; /help in it says what can be typed",
        takes: .some(0...3, "a code or a room"),
        options: ProfileOptions.all + ProfileOptions.conversation + [
            .flag("create", "open a new room and show its code"),
            .value("expires", "TIME", "how long the code is valid: 1m, 5m (default), 1h, 12h or 24h"),
            .value("name", "NAME", "what to call the room"),
            .flag("no-qr", "do not draw the code as a QR code"),
            .flag("json", "print one JSON object a line"),
        ] + NoteOptions.place,
        examples: [
            "alcove chat --create", "alcove chat 482913-maple-otter",
            "alcove chat --create --server https://rendezvous.example --ice-server stun:stun.example:3478",
        ])

    private enum Way {
        case create(expiresIn: Int64)
        case enter(String)
    }

    private let arguments: Arguments
    private let way: Way

    init(arguments: Arguments) throws {
        self.arguments = arguments
        if let name = arguments["name"] { try WrittenName.check(name) }
        let words = arguments.operands
        if arguments.has("create") {
            guard words.isEmpty else { throw UsageError("--create makes a new room; it takes no code") }
            let text = arguments["expires"] ?? "5m"
            guard let seconds = WrittenDuration.seconds(text), RoomLimits.expiryChoices.contains(Int64(seconds)) else {
                throw UsageError("--expires takes 1m, 5m, 1h, 12h or 24h, not \"\(text)\"")
            }
            way = .create(expiresIn: Int64(seconds))
        } else {
            guard !words.isEmpty else { throw UsageError("missing: --create, a code or a room") }
            guard arguments["expires"] == nil else { throw UsageError("--expires goes with --create") }
            way = .enter(words.joined(separator: " "))
        }
    }

    func run() async throws {
        try await ProfileOptions.attached(arguments, startsHost: true) { host in
            await host.dispatch(.app(.becameActive))
            await host.tellSeen()
            let room = try await enter(host)
            await host.dispatch(.rooms(.openRoom(room: room)))
            let signals = await Signals()
            do {
                try await ChatSession(
                    host: host, room: room, json: arguments.has("json"), drawsCode: !arguments.has("no-qr"),
                    signals: signals
                ).run()
            } catch {
                await forget(room, of: host)
                throw error
            }
        }
    }

    /// A room that was never made at the server has nothing to go on with: the next try makes another one.
    private func forget(_ room: RoomID, of host: any ProfileHost) async {
        guard case .create = way, await host.read({ $0.rooms[room]?.status == .failed }) else { return }
        await host.dispatch(.rooms(.deleteRoom(room: room)))
    }

    /// The room that is called so; nil if there is none.
    private static func known(_ text: String, to host: any ProfileHost) async throws -> Room? {
        do {
            return try await RoomOperand(text: text).find(in: host) { !$0.status.isOver }
        } catch let failure as CommandFailure where failure.code == .noInput {
            return nil
        }
    }

    /// Makes, joins or finds the room.
    private func enter(_ host: any ProfileHost) async throws -> RoomID {
        let before = await host.read { Set($0.rooms.map(\.id)) }
        switch way {
        case .create(let expiresIn):
            await host.dispatch(.rooms(.createRoom(name: arguments["name"], expiresIn: expiresIn)))
        case .enter(let text):
            let known = try await Self.known(text, to: host)
            if let known, !known.status.isOver { return known.id }
            let code: JoinCode
            do {
                code = try JoinCode(parsing: text)
            } catch {
                guard let known else {
                    // What was typed is not repeated: it may be the words of a code.
                    let isName = error.code == .malformed
                    throw CommandFailure((isName ? "there is no room of this name, and " : "") + error.message, .usage)
                }
                let sentence = "this room is over: \(known.status.rawValue); open a new one with alcove chat --create"
                throw CommandFailure(sentence, .unavailable)
            }
            let words = code.words.isEmpty ? nil : try await host.keep(secret: code.words.joined(separator: "-"))
            await host.dispatch(.rooms(.joinRoom(code: code.digits, words: words, name: arguments["name"])))
        }
        let made = await host.read { state in state.rooms.first { !before.contains($0.id) }?.id }
        guard let room = made else {
            let notice = await host.read { state in state.notices.last { $0.room == nil }?.sentence }
            throw CommandFailure(notice ?? "the room could not be opened", .unavailable)
        }
        return room
    }
}
