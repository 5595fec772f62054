import AgentProtocols
import Agents
import AppCore
import Errors
import Host
import Networking

/// `alcove agent pair`
struct AgentPairCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent pair", "URI [NAME] | --host H --code C [--port P] [NAME]",
        "let this device in to a jcode gateway, or to another Alcove's, and add the agent behind it",
        takes: .some(0...2, "the address that the gateway shows, or --host and --code"),
        options: ProfileOptions.all + [
            .value("host", "H", "the name or address of the gateway's machine"),
            .value("port", "P", "its port (default \(GatewayInvitation.usualPort))"),
            .value("code", "C", "the six digits that it shows"),
            .value("fingerprint", "HEX", "the SHA-256 of its key; then everything goes over TLS to that key alone"),
            .flag("plain", "talk without TLS to another machine: only inside a VPN, because others could read along"),
            .value("device-name", "TEXT", "what the gateway calls this device (default \(GatewayPairing.usualName))"),
        ],
        examples: [
            "alcove agent pair 'jcode://pair?host=workstation&port=7643&code=123456&fp=…' workstation",
            "alcove agent pair --host workstation --code 123456 --fingerprint 9c1f… workstation   (an Alcove gateway, all 64 digits of its key)",
            "alcove agent pair --host 127.0.0.1 --code 123456 workstation   (a gateway of jcode, which has no TLS)",
        ])

    let arguments: Arguments
    private let invitation: GatewayInvitation
    private let name: String

    init(arguments: Arguments) throws {
        self.arguments = arguments
        var operands = arguments.operands[...]
        if let host = arguments["host"] {
            invitation = try Self.invitation(host, arguments)
        } else {
            guard let address = operands.popFirst() else {
                throw UsageError("missing: the address that the gateway shows, or --host and --code")
            }
            guard ["port", "code", "fingerprint"].allSatisfy({ arguments[$0] == nil }) else {
                throw UsageError("--port, --code and --fingerprint go with --host")
            }
            do { invitation = try GatewayInvitation(address) } catch { throw UsageError(error.message) }
        }
        guard operands.count <= 1 else { throw UsageError("an agent has one name") }
        if let name = operands.first { try WrittenName.check(agent: name) }
        name = operands.first ?? invitation.host
        guard !GatewayPairing.isReadable(invitation) || arguments.has("plain") else {
            throw UsageError(
                "\(invitation.host) gave no fingerprint of a key, so code and token would travel readable; inside a VPN, say --plain"
            )
        }
    }

    private static func invitation(_ host: String, _ arguments: Arguments) throws(UsageError) -> GatewayInvitation {
        guard GatewayInvitation.isHost(host) else { throw UsageError("--host takes a name or an address") }
        guard let code = arguments["code"].flatMap(GatewayCode.init) else {
            throw UsageError("--code takes six digits")
        }
        let port = arguments["port"].map { Int($0) ?? 0 } ?? GatewayInvitation.usualPort
        guard 1...65535 ~= port else { throw UsageError("--port takes 1 to 65535") }
        var fingerprint: GatewayFingerprint?
        if let text = arguments["fingerprint"] {
            fingerprint = GatewayFingerprint(text)
            guard fingerprint != nil else { throw UsageError("--fingerprint takes 64 hexadecimal digits") }
        }
        return GatewayInvitation(host: host, port: port, code: code, fingerprint: fingerprint)
    }

    func result() async throws -> CommandResult {
        let server = GatewayPairing.server(of: invitation)
        let added = try await ProfileOptions.attached(arguments) { host in
            // A name that is taken is told before the code is used up.
            guard await host.read({ $0.agents.named(name) }) == nil else {
                throw CommandFailure("there is an agent \"\(name)\" already; give another name", .usage)
            }
            let before = await host.read { Set($0.agents.byID.keys) }
            let token = try await token()
            let kept = try await host.keep(secret: token.text)
            try await host.change(
                agents: .addGateway(
                    name: name, url: server.description, fingerprint: invitation.fingerprint?.text, token: kept))
            return await host.read { state in state.agents.inOrder.last { !before.contains($0.id) } }
        }
        guard let added else {
            throw CommandFailure("the agent was removed at once by another program; add it again", .unavailable)
        }
        let written = ShellWords.written([added.name])
        return CommandResult(
            "added \(added.name); talk to it with: alcove agent chat \(written) --folder DIR", json: AgentLine(added))
    }

    /// Shows the code.
    private func token() async throws -> GatewayToken {
        do {
            return try await GatewayPairing.pair(
                invitation, deviceName: arguments["device-name"] ?? GatewayPairing.usualName)
        } catch { throw failure(error) }
    }

    /// A gateway with TLS breaks off when it is spoken to without. Where nothing answers at all, the error asks whether anything runs there.
    private func failure(_ error: AgentError) -> CommandFailure {
        let failure = AgentOptions.failure(error)
        guard invitation.fingerprint == nil, !failure.explanation.hasSuffix("?") else { return failure }
        switch error.code {
        case .unreachable, .ended, .silent, .notUnderstood:
            return CommandFailure(
                failure.explanation
                    + "\nAn Alcove gateway speaks TLS: use the whole address that it shows (jcode://…), or add --fingerprint HEX",
                failure.code)
        default: return failure
        }
    }
}
