import AppCore
import Catalogues
import Foundation
import Host

/// `alcove circle seal`
struct CircleSealCommand: Command {
    static let reference = CommandReference(
        "circle seal", "NAME [--json] < TEXT > FILE",
        "seal a message to a person, to be carried by hand",
        takes: .one("NAME"),
        options: ProfileOptions.all + [
            .flag("json", "print the message in base64, which key was used and how many are left, as one JSON object")
        ],
        examples: ["echo 'At eight, by the bridge.' | alcove circle seal Ben > message.ntdf"])

    let arguments: Arguments
    private var operand: String { arguments.operands[0] }

    func run() async throws {
        // Before a key is used up: where the message goes, and whether it is one.
        let output = arguments.has("json") ? nil : try ByteOutput(nil, forOwnerOnly: true)
        let bytes = try ByteInput("-").readAll(atMost: RoomLimits.textBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                "standard input is not UTF-8 text; a file is sealed with alcove tdf seal --to", .dataError)
        }
        let (sealed, notice) = try await ProfileOptions.attached(arguments) { host in
            let room = try await RoomOperand(text: operand, isPerson: true).find(in: host, fits: \.isMember)
            if room.status == .revoked {
                throw CommandFailure("\(room.title): \(Failure(.trustRevoked).sentence)", .noPermission)
            }
            let sealed = try await seal(text, for: room.id, on: host)
            return (sealed, try await KeyNotice.sealed(sealed, in: room.id, on: host))
        }
        notice.warnAfterSealing()
        guard let output else {
            return try Terminal.print(
                json: Report(message: Data(sealed).base64EncodedString(), keys: notice))
        }
        try output.write(sealed)
        try output.finish()
    }

    private struct Report: Encodable {
        /// In base64.
        var message: String
        var keys: KeyNotice
    }

    /// Has the core seal it, and takes the file of this very message: another one may lie there since a run that was killed.
    private func seal(_ text: String, for room: RoomID, on host: any ProfileHost) async throws -> [UInt8] {
        let before = await host.read { state in Set(state.rooms[room]?.messages.all.map(\.id) ?? []) }
        let file = try await HandCarried.outcome(on: host, .circle(.sealByHand(room: room, text: text))) {
            state -> Result<String, CommandFailure>? in
            let made = state.rooms[room]?.messages.all.last { $0.byHand != nil && !before.contains($0.id) }
            guard let made else { return nil }
            if let handle = made.byHand?.handle { return .success(handle) }
            let reason = made.failure?.sentence ?? "the message was not sealed"
            return .failure(CommandFailure(reason, made.failure?.code == .noKeys ? .unavailable : .dataError))
        }
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure("the sealed message is gone from \(file); seal it again", .inputOutput)
        }
        return [UInt8](data)
    }
}
