import AppCore
import Foundation
import Host

/// `alcove circle open`
struct CircleOpenCommand: Command {
    static let reference = CommandReference(
        "circle open", "[FILE] [--json]",
        "open what was carried by hand: a sealed message, or the notice that trust was revoked",
        takes: .optional("circle open takes one FILE, or reads standard input"),
        options: ProfileOptions.all + [
            .flag("json", "print who wrote what, and how it was sealed, as one JSON object")
        ],
        examples: ["alcove circle open message.ntdf", "alcove circle open < message.ntdf"])

    let arguments: Arguments

    func run() async throws {
        let input = try ByteInput(arguments.operands.first ?? "-")
        let bytes = try input.readAll(atMost: 1 << 20)
        guard !bytes.isEmpty else { throw CommandFailure("\(input.name) is empty", .dataError) }
        let file = NSTemporaryDirectory() + "alcove-\(UUID().uuidString).ntdf"
        try OutputFile.write(bytes, to: file, forOwnerOnly: true)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (line, opened) = try await ProfileOptions.attached(arguments) { host in
            let before = await host.read { state in Set(state.rooms.flatMap { $0.messages.all.map(\.id) }) }
            let line = try await open(file, on: host)
            return (line, try await Opened(since: before, on: host))
        }
        opened?.keys.warnAfterOpening()
        guard let opened, arguments.has("json") else { return Terminal.print(line) }
        try Terminal.print(json: opened)
    }

    private func open(_ file: String, on host: any ProfileHost) async throws -> TerminalText {
        let before = await host.read { state in Set(state.rooms.flatMap { $0.messages.all.map(\.id) }) }
        let ended = await host.read { state in Set(state.circle.tombstones.keys) }
        return try await HandCarried.outcome(on: host, .circle(.openByHand(handle: file))) { state in
            for room in state.rooms {
                if room.status == .revoked, !ended.contains(room.id) {
                    return .success("\(room.title) has ended the trust between you; the keys are gone")
                }
                if let message = room.messages.last, !before.contains(message.id), case .text(let text) = message.body {
                    return .success("\(room.title): \(.text(text, margin: "  "))")
                }
            }
            return nil
        }
    }
}

/// A message that was opened, as a script reads it.
private struct Opened: Encodable {
    var room: String
    var name: String
    var text: String
    var keys: KeyNotice

    /// Nil if none came: it was a notice.
    init?(since known: Set<MessageID>, on host: any ProfileHost) async throws {
        let found = await host.read { state in
            state.rooms.lazy.compactMap { room -> (RoomID, String, String, Seal?)? in
                guard let message = room.messages.last, !known.contains(message.id), case .text(let text) = message.body
                else { return nil }
                return (room.id, room.title, text, message.seal)
            }.first
        }
        guard let (id, title, text, seal) = found else { return nil }
        (room, name, self.text) = (id.text, title, text)
        keys = try await KeyNotice.opened(seal ?? .oneTime, in: id, on: host)
    }
}
