import AppCore
import DataChannels
import Foundation
import Rooms
import Synchronization

/// `alcove server check`: tries a rendezvous server as two people would, or one STUN or TURN server.
struct ServerCheckCommand: Command {
    static let reference = CommandReference(
        "server check", "URL | stun:HOST[:PORT] | turn:HOST[:PORT] --user NAME --password-file FILE",
        "try a rendezvous server as two people would, or one STUN or TURN server, and say what is wrong and how to mend it",
        takes: .one("the address of the server"),
        options: [
            .value("user", "NAME", "the user name for the TURN server"),
            .value("password-file", "FILE", "a file with the password for the TURN server alone"),
            .value("tls-ca", "FILE", "PEM file with the authorities to check the server's certificate against"),
            .value("bind", "ADDRESS", "try STUN and TURN from this local address only; repeatable"),
            .flag("json", "print what was found as one JSON object"),
        ],
        examples: [
            "alcove server check https://rendezvous.example",
            "alcove server check http://127.0.0.1:8080 --bind 127.0.0.1 --json",
            "alcove server check stun:stun.example:3478",
            "alcove server check turn:turn.example:3478?transport=tcp --user ada --password-file turn.txt",
        ])

    private let arguments: Arguments
    private let server: String
    /// Nil for a rendezvous server.
    private let iceServer: ICEServer?

    init(arguments: Arguments) throws {
        self.arguments = arguments
        server = arguments.operands.first ?? ""
        iceServer = try Self.iceServer(server, arguments)
    }

    func run() async throws {
        let network = RoomsNetwork(
            bindAddresses: arguments.all("bind"), certificateAuthorities: arguments["tls-ca"])
        let asJSON = arguments.has("json")
        let findings = Mutex<[ServerFinding]>([])
        let report = { @Sendable [iceServer] (finding: ServerFinding) in
            findings.withLock { $0.append(finding) }
            if !asJSON { Self.show(finding, isNamed: iceServer != nil) }
        }
        if let iceServer {
            report(await ICEServerCheck(server: iceServer, network: network).finding())
        } else {
            await ServerCheck(server: server, network: network, report: report).run()
        }
        let all = findings.withLock { $0 }
        let isGood = all.allSatisfy { $0.problem?.isWarning ?? true }
        if asJSON { try Terminal.print(json: json(isGood, all)) }
        guard isGood else { throw CommandFailure("", .failure) }
    }

    /// - Returns: nil if the address is that of no STUN or TURN server.
    private static func iceServer(_ url: String, _ arguments: Arguments) throws(UsageError) -> ICEServer? {
        let (user, file) = (arguments["user"], arguments["password-file"])
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard ["stun", "stuns", "turn", "turns"].contains(scheme) else {
            guard user == nil, file == nil else { throw UsageError("--user and --password-file go with turn:HOST") }
            return nil
        }
        guard scheme.hasPrefix("turn") == (user != nil && file != nil), (user == nil) == (file == nil) else {
            throw UsageError(
                scheme.hasPrefix("turn")
                    ? "a TURN server needs --user and --password-file"
                    : "a STUN server takes neither --user nor --password-file")
        }
        let password = try file.map { (file) throws(UsageError) in try SecretFile.text(file, option: "password-file") }
        let server = ICEServer(urls: [url], username: user, credential: password)
        do {
            try PeerConnectionConfiguration.check(iceServers: [server], policy: .all, bindAddresses: [])
        } catch {
            throw UsageError(error.message)
        }
        return server
    }

    /// - Parameter isNamed: whether the person named this STUN or TURN server; a rendezvous server hands out others.
    private static func show(_ finding: ServerFinding, isNamed: Bool) {
        let mark = finding.problem.map { $0.isWarning ? "!" : "✗" } ?? "✓"
        let place = finding.isOfServer ? "" : " \(finding.place)"
        guard let problem = finding.problem else {
            return Terminal.print("\(mark) \(finding.subject.words)\(place)")
        }
        Terminal.print("\(mark) \(finding.subject.words)\(place): \(problem.sentence)")
        Terminal.print("    \(isNamed ? problem.remedyOfNamed : problem.remedy)")
    }

    private func json(_ isGood: Bool, _ findings: [ServerFinding]) -> JSONValue {
        let checks = findings.map { finding -> JSONValue in
            var members: [String: JSONValue] = [
                "check": .string(finding.subject.rawValue), "place": .string(finding.place),
                "result": .string(finding.problem.map { $0.isWarning ? "warning" : "failed" } ?? "ok"),
            ]
            if let problem = finding.problem {
                members["problem"] = .string(problem.code)
                members["message"] = .string(problem.sentence)
                members["remedy"] = .string(iceServer == nil ? problem.remedy : problem.remedyOfNamed)
            }
            return .object(members)
        }
        return .object(["server": .string(server), "ok": .bool(isGood), "checks": .array(checks)])
    }
}
