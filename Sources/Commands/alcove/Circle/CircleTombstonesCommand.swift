import AppCore
import Foundation
import Host

/// `alcove circle tombstones`
struct CircleTombstonesCommand: Command {
    static let reference = CommandReference(
        "circle tombstones", "[--json | --notice NAME]",
        "show whose trust was revoked: those keys are never accepted again",
        options: ProfileOptions.all + [
            .flag("json", "print a JSON array"),
            .value("notice", "NAME", "write the signed notice for this person, who was not there to be told"),
        ],
        examples: [
            "alcove circle tombstones",
            "alcove circle tombstones --notice Ben > notice    (Ben: alcove circle open notice)",
        ])

    let arguments: Arguments

    /// A tombstone, as a script reads it.
    private struct Line: Encodable {
        var id: String
        var name: String
        var fingerprint: String?
        var revokedAt: ISOTime
        var by: Party
        var reason: String?

        init(_ tombstone: Tombstone) {
            (id, name, fingerprint) = (tombstone.id.text, tombstone.name, tombstone.fingerprint)
            (revokedAt, by, reason) = (ISOTime(tombstone.revokedAt), tombstone.by, tombstone.reason)
        }
    }

    func run() async throws {
        if let name = arguments["notice"] { return try await writeNotice(for: name) }
        let tombstones = try await ProfileOptions.attached(arguments) { host in await host.read { $0.circle.inOrder } }
        if arguments.has("json") {
            return try Terminal.print(json: tombstones.map(Line.init))
        }
        guard !tombstones.isEmpty else { return Terminal.print("No trust was revoked.") }
        var table = Table()
        for stone in tombstones {
            let party = stone.by == .own ? "you" : "them"
            table.add(
                stone.name, "revoked by \(party)", WrittenTime.text(stone.revokedAt.milliseconds),
                String(stone.id.text.prefix(8)),
                stone.fingerprint ?? "")
        }
        table.show()
    }

    private func writeNotice(for name: String) async throws {
        let notice = try await ProfileOptions.attached(arguments) { host in
            let stones = await host.read(\.circle.inOrder)
            return try await host.revocationNotice(Self.find(name, in: stones).id)
        }
        guard let notice else { throw CommandFailure("\(name) revoked the trust, so they know", .noInput) }
        let output = try ByteOutput(nil, forOwnerOnly: true)
        try output.write(notice)
        try output.finish()
    }

    /// The one trust that is called so: notices differ, and the wrong one tells the wrong person.
    static func find(_ name: String, in stones: [Tombstone]) throws(CommandFailure) -> Tombstone {
        let called = CalledByName(name)
        let named = stones.filter { called.means($0.name) }
        let found = named.isEmpty ? stones.filter { called.begins($0.id.text) } : named
        guard let stone = found.last else {
            throw CommandFailure("no trust in \"\(name)\" was revoked; alcove circle tombstones", .noInput)
        }
        guard found.count == 1 else {
            throw called.ambiguity(
                found.map { ($0.id.text, "\($0.name), revoked \(WrittenTime.text($0.revokedAt.milliseconds))") })
        }
        return stone
    }
}
