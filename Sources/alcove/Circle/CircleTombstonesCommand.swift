import AppCore
import Foundation
import Host

/// `alcove circle tombstones`
struct CircleTombstonesCommand: Command {
    static let name = "circle tombstones"
    static let summary = "show whose trust was revoked: those keys are never accepted again"
    static let usage = "[--json]"
    static let options = ProfileOptions.all + [.flag("json", "print a JSON array")]
    static let examples = ["alcove circle tombstones"]

    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        _ = try arguments.operands(0...0, "circle tombstones takes only options")
        self.arguments = arguments
    }

    func run() async throws {
        let tombstones = try await ProfileOptions.withHost(arguments) { host in await host.read { $0.circle.inOrder } }
        if arguments.has("json") {
            return Terminal.print(String(decoding: try JSON.encode(tombstones), as: UTF8.self))
        }
        guard !tombstones.isEmpty else { return Terminal.print("No trust was revoked.") }
        for stone in tombstones {
            let date = Date(timeIntervalSince1970: Double(stone.revokedAt.milliseconds) / 1000).formatted(.iso8601)
            Terminal.print(
                "\(stone.name)  revoked by \(stone.by == .own ? "you" : "them")  \(date)  \(stone.fingerprint ?? "")")
        }
    }
}
