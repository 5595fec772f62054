import AppCore
import Foundation
import Host

/// `alcove circle seal`
struct CircleSealCommand: Command {
    static let name = "circle seal"
    static let summary = "seal a message to a person, to be carried by hand"
    static let usage = "NAME [--json] < TEXT > FILE"
    static let options =
        ProfileOptions.all + [
            .flag("json", "print the message in base64, which key was used and how many are left, as one JSON object")
        ]
    static let examples = ["echo 'At eight, by the bridge.' | alcove circle seal Ben > message.ntdf"]

    private let arguments: Arguments
    private let operand: String

    init(_ arguments: Arguments) throws {
        operand = try arguments.operands(1...1, "NAME")[0]
        self.arguments = arguments
    }

    func run() async throws {
        let text = String(decoding: try ByteInput("-").readAll(atMost: RoomLimits.textBytes), as: UTF8.self)
        let (sealed, notice) = try await ProfileOptions.withHost(arguments) { host in
            let room = try await RoomOperand(text: operand).find(in: host).id
            await host.dispatch(.circle(.sealByHand(room: room, text: text)))
            let file = try await HandCarried.outcome(on: host) { state in
                state.rooms[room]?.messages.all.last { $0.status == .carried }?.byHand?.handle
            }
            defer { try? FileManager.default.removeItem(atPath: file) }
            let sealed = try Data(contentsOf: URL(fileURLWithPath: file))
            return (sealed, try await KeyNotice.sealed(Array(sealed), in: room, on: host))
        }
        notice.warnAfterSealing()
        guard arguments.has("json") else { return FileHandle.standardOutput.write(sealed) }
        let report = Report(message: sealed.base64EncodedString(), keys: notice)
        Terminal.print(String(decoding: try JSON.encode(report), as: UTF8.self))
    }

    private struct Report: Encodable {
        /// In base64.
        var message: String
        var keys: KeyNotice
    }
}

/// `alcove circle open`
struct CircleOpenCommand: Command {
    static let name = "circle open"
    static let summary = "open what was carried by hand: a sealed message, or the notice that trust was revoked"
    static let usage = "[--json] < FILE"
    static let options =
        ProfileOptions.all + [.flag("json", "print who wrote what, and how it was sealed, as one JSON object")]
    static let examples = ["alcove circle open < message.ntdf"]

    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        _ = try arguments.operands(0...0, "circle open reads standard input")
        self.arguments = arguments
    }

    func run() async throws {
        let bytes = try ByteInput("-").readAll(atMost: 1 << 20)
        let file = NSTemporaryDirectory() + "alcove-\(UUID().uuidString).ntdf"
        try OutputFile.write(bytes, to: file, forOwnerOnly: true)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (line, opened) = try await ProfileOptions.withHost(arguments) { host in
            let before = await host.read { state in Set(state.rooms.flatMap { $0.messages.all.map(\.id) }) }
            let ended = await host.read { state in Set(state.circle.tombstones.keys) }
            await host.dispatch(.circle(.openByHand(handle: file)))
            let line = try await HandCarried.outcome(on: host) { state in
                for room in state.rooms {
                    if room.status == .revoked, !ended.contains(room.id) {
                        return "\(room.title) has ended the trust between you; the keys are gone"
                    }
                    if let message = room.messages.last, !before.contains(message.id),
                        case .text(let text) = message.body
                    {
                        return "\(room.title): \(text)"
                    }
                }
                return nil
            }
            return (line, try await Opened(since: before, on: host))
        }
        opened?.keys.warnAfterOpening()
        guard let opened, arguments.has("json") else { return Terminal.print(line) }
        Terminal.print(String(decoding: try JSON.encode(opened), as: UTF8.self))
    }
}

/// A message that was opened, as a script reads it.
private struct Opened: Encodable {
    var room: String
    var name: String
    var text: String
    var keys: KeyNotice

    /// Nil if none came: it was a notice.
    init?(since known: Set<MessageID>, on host: AppHost) async throws {
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

/// Waiting for what becomes of something carried by hand.
private enum HandCarried {
    static func outcome(
        on host: AppHost, _ look: @escaping @Sendable (AppState) -> String?
    ) async throws(CommandFailure) -> String {
        let outcome: Result<String, CommandFailure>? = await host.wait(upTo: .seconds(30)) { state in
            let isUnderWay = state.ledger.pending.values.contains { kind in
                switch kind {
                case .sealByHand, .openByHand, .acknowledgeByHand: true
                default: false
                }
            }
            guard !isUnderWay else { return nil }
            if let found = look(state) { return .success(found) }
            return .failure(CommandFailure(state.notices.last?.text ?? "nothing came of it", .dataError))
        }
        guard let outcome else { throw CommandFailure("the profile did not answer in time", .temporaryFailure) }
        return try outcome.get()
    }
}
