import AppCore
import Foundation
import Rooms
import Synchronization

/// `alcove server check`: tries a rendezvous server as two people would.
struct ServerCheckCommand: Command {
    static let reference = CommandReference(
        "server check", "URL [--tls-ca FILE] [--bind ADDRESS] [--json]",
        "try a rendezvous server as two people would, and say what is wrong and how to mend it",
        takes: .one("the address of the server"),
        options: [
            .value("tls-ca", "FILE", "PEM file with the authorities to check the server's certificate against"),
            .value("bind", "ADDRESS", "try STUN and TURN from this local address only; repeatable"),
            .flag("json", "print what was found as one JSON object"),
        ],
        examples: [
            "alcove server check https://rendezvous.example",
            "alcove server check http://127.0.0.1:8080 --bind 127.0.0.1 --json",
        ])

    private let arguments: Arguments

    init(arguments: Arguments) throws { self.arguments = arguments }

    func run() async throws {
        let server = arguments.operands.first ?? ""
        let network = RoomsNetwork(
            bindAddresses: arguments.all("bind"), certificateAuthorities: arguments["tls-ca"])
        let asJSON = arguments.has("json")
        let findings = Mutex<[ServerFinding]>([])
        await ServerCheck(server: server, network: network) { finding in
            findings.withLock { $0.append(finding) }
            if !asJSON { Self.show(finding) }
        }.run()
        let all = findings.withLock { $0 }
        let isGood = all.allSatisfy { $0.problem?.isWarning ?? true }
        if asJSON { try Terminal.print(json: Self.json(server, isGood, all)) }
        guard isGood else { throw CommandFailure("", .failure) }
    }

    private static func show(_ finding: ServerFinding) {
        let mark = finding.problem.map { $0.isWarning ? "!" : "✗" } ?? "✓"
        let place = finding.isOfServer ? "" : " \(finding.place)"
        guard let problem = finding.problem else {
            return Terminal.print("\(mark) \(finding.subject.words)\(place)")
        }
        Terminal.print("\(mark) \(finding.subject.words)\(place): \(problem.sentence)")
        Terminal.print("    \(problem.remedy)")
    }

    private static func json(_ server: String, _ isGood: Bool, _ findings: [ServerFinding]) -> JSONValue {
        let checks = findings.map { finding -> JSONValue in
            var members: [String: JSONValue] = [
                "check": .string(finding.subject.rawValue), "place": .string(finding.place),
                "result": .string(finding.problem.map { $0.isWarning ? "warning" : "failed" } ?? "ok"),
            ]
            if let problem = finding.problem {
                members["problem"] = .string(problem.code)
                members["message"] = .string(problem.sentence)
                members["remedy"] = .string(problem.remedy)
            }
            return .object(members)
        }
        return .object(["server": .string(server), "ok": .bool(isGood), "checks": .array(checks)])
    }
}
