import AppCore
import Foundation
import Host

/// `alcove circle seal`
struct CircleSealCommand: Command {
    static let name = "circle seal"
    static let summary = "seal a message to a person, to be carried by hand"
    static let usage = "NAME < TEXT > FILE"
    static let options = ProfileOptions.all
    static let examples = ["echo 'At eight, by the bridge.' | alcove circle seal Ben > message.ntdf"]

    private let arguments: Arguments
    private let operand: String

    init(_ arguments: Arguments) throws {
        operand = try arguments.operands(1...1, "NAME")[0]
        self.arguments = arguments
    }

    func run() async throws {
        let text = String(decoding: try ByteInput("-").readAll(atMost: RoomLimits.textBytes), as: UTF8.self)
        let sealed = try await ProfileOptions.withHost(arguments) { host in
            let room = try await RoomOperand(text: operand).find(in: host).id
            await host.dispatch(.circle(.sealByHand(room: room, text: text)))
            let file = try await HandCarried.outcome(on: host) { state in
                state.rooms[room]?.messages.all.last { $0.status == .carried }?.byHand?.handle
            }
            defer { try? FileManager.default.removeItem(atPath: file) }
            return try Data(contentsOf: URL(fileURLWithPath: file))
        }
        FileHandle.standardOutput.write(sealed)
    }
}

/// `alcove circle open`
struct CircleOpenCommand: Command {
    static let name = "circle open"
    static let summary = "open what was carried by hand: a sealed message, or the notice that trust was revoked"
    static let usage = "< FILE"
    static let options = ProfileOptions.all
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
        let line = try await ProfileOptions.withHost(arguments) { host in
            let before = await host.read { state in Set(state.rooms.flatMap { $0.messages.all.map(\.id) }) }
            let ended = await host.read { state in Set(state.circle.tombstones.keys) }
            await host.dispatch(.circle(.openByHand(handle: file)))
            return try await HandCarried.outcome(on: host) { state in
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
        }
        Terminal.print(line)
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
