import AppCore
import Foundation
import Host

/// `alcove circle tombstones`
struct CircleTombstonesCommand: Command {
    static let name = "circle tombstones"
    static let summary = "show whose trust was revoked: those keys are never accepted again"
    static let usage = "[--json | --notice NAME]"
    static let options =
        ProfileOptions.all + [
            .flag("json", "print a JSON array"),
            .value("notice", "NAME", "write the signed notice for this person, who was not there to be told"),
        ]
    static let examples = [
        "alcove circle tombstones",
        "alcove circle tombstones --notice Ben > notice    (Ben: alcove circle open < notice)",
    ]

    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        _ = try arguments.operands(0...0, "circle tombstones takes only options")
        self.arguments = arguments
    }

    func run() async throws {
        if let name = arguments["notice"] { return try await writeNotice(for: name) }
        let tombstones = try await ProfileOptions.withHost(arguments) { host in await host.read { $0.circle.inOrder } }
        if arguments.has("json") {
            return try Terminal.print(json: tombstones)
        }
        guard !tombstones.isEmpty else { return Terminal.print("No trust was revoked.") }
        for stone in tombstones {
            let date = Date(timeIntervalSince1970: Double(stone.revokedAt.milliseconds) / 1000).formatted(.iso8601)
            Terminal.print(
                "\(stone.name)  revoked by \(stone.by == .own ? "you" : "them")  \(date)  \(stone.fingerprint ?? "")")
        }
    }

    private func writeNotice(for name: String) async throws {
        let notice = try await ProfileOptions.withHost(arguments) { host in
            let stones = await host.read { $0.circle.inOrder.filter { $0.name == name || $0.id.text.hasPrefix(name) } }
            guard let stone = stones.last else {
                throw CommandFailure("no trust in \"\(name)\" was revoked; alcove circle tombstones", .noInput)
            }
            return try await host.revocationNotice(stone.id)
        }
        guard let notice else { throw CommandFailure("\(name) revoked the trust, so they know", .noInput) }
        let output = try ByteOutput(nil, forOwnerOnly: true)
        try output.write(notice)
        try output.finish()
    }
}
