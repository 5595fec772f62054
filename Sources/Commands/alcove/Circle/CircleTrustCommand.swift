import AppCore
import Foundation
import Host

/// `alcove circle trust`
struct CircleTrustCommand: Command {
    static let reference = CommandReference(
        "circle trust", "NAME [--json]",
        "show the safety number of a person, to compare with theirs",
        takes: .one("NAME"),
        options: ProfileOptions.all + [.flag("json", "print one JSON object")],
        examples: ["alcove circle trust Ben"])

    let arguments: Arguments
    private var operand: String { arguments.operands[0] }

    private struct Trust: Encodable {
        var name: String
        var isMember: Bool
        var safetyNumber: String
        var fingerprint: String
    }

    func run() async throws {
        let room = try await ProfileOptions.attached(arguments) {
            try await RoomOperand(text: operand, isPerson: true, meansEvery: true)
                .find(in: $0, fits: { $0.identity != nil && !$0.status.isOver })
        }
        guard let identity = room.identity else {
            throw CommandFailure(
                "no keys of \(room.title) are known yet; meet once with alcove chat \"\(room.title)\"", .noInput)
        }
        let trust = Trust(
            name: room.title, isMember: room.isMember, safetyNumber: identity.safetyNumber,
            fingerprint: identity.fingerprint)
        if arguments.has("json") { return try Terminal.print(json: trust) }
        Terminal.print(
            """
            \(trust.name)\(trust.isMember ? ", in your circle" : ", not in your circle")
            Safety number, the same on both machines:
              \(trust.safetyNumber)
            Their identity key: \(trust.fingerprint)
            """)
    }
}
