import AgentProtocols
import Agents
import AppCore
import DataChannels
import Errors
import Foundation
import Host
import Networking
import Storage

/// `alcove agent serve`
struct AgentServeCommand: Command {
    static let reference = CommandReference(
        "agent serve", "NAME [--folder DIR] [--address A] [--port P]",
        "let your other devices use an agent of this machine, with clients that speak the protocol of jcode's gateway",
        takes: .one("NAME"),
        options: ProfileOptions.all + [
            .value("folder", "DIR", "the folder in which it may be used, with all in it (default: the current one)"),
            .value("address", "A", "the address to listen on (default 127.0.0.1, which only this machine reaches)"),
            .value("port", "P", "the port (default \(GatewayInvitation.usualPort); 0 takes a free one)"),
            .value("name", "HOST", "how devices reach this machine, for the code that they scan; repeatable"),
            .value(
                "policy", "KIND=WORD",
                "allow or reject without asking: read and edit in the folder, execute or fetch anywhere; repeatable"),
            .flag("no-tls", "serve without TLS, for this machine alone"),
            .flag("json", "print one JSON object a line"),
        ],
        examples: [
            "alcove agent serve helper",
            "alcove agent serve helper --folder ~/project --address 192.168.1.10",
            "alcove agent serve helper --policy read=allow --policy execute=reject",
        ])

    let arguments: Arguments
    private let port: Int
    private let address: String
    private let policies: AgentPolicies

    init(arguments: Arguments) throws {
        self.arguments = arguments
        let text = arguments["port"] ?? String(GatewayInvitation.usualPort)
        guard let port = Int(text), 0...65535 ~= port else {
            throw UsageError("--port takes 0 to 65535, not \"\(text)\"")
        }
        let address = arguments["address"] ?? "127.0.0.1"
        self.port = port
        self.address = address == "localhost" ? "127.0.0.1" : address
        guard !arguments.has("no-tls") || GatewayServer.isLoopback(self.address) else {
            throw UsageError("without TLS others could read along; leave --no-tls or --address out")
        }
        guard arguments.all("name").allSatisfy(GatewayInvitation.isHost) else {
            throw UsageError("--name takes a name or an address")
        }
        policies = try AgentPolicies(named: arguments.all("policy"))
    }

    func run() async throws {
        let end = await Signals()
        let (agent, secrets) = try await ProfileOptions.attached(arguments) { host in
            let agent = try await AgentOperand(text: arguments.operands[0]).find(in: host)
            guard agent.place.member == nil else {
                throw CommandFailure("\(agent.name) is an agent of somebody else, who serves it or does not", .usage)
            }
            return (agent, try await AgentSecrets(of: agent, in: host))
        }
        let identity = arguments.has("no-tls") ? nil : try GatewayIdentity(folder: GatewayFolder.path(arguments))
        var configuration = GatewayServer.Configuration(
            address: address, port: port, tls: identity?.files, folder: try folder(), version: Core.version,
            devices: GatewayFolder.devices(arguments)
        ) { folder in try AgentOptions.provider(agent, secrets, folder: folder) }
        configuration.names.formUnion(names.map { $0.lowercased() })
        let server = GatewayServer(configuration)
        let taken: Int
        do { taken = try await server.start() } catch { throw CommandFailure(error.message, .unavailable) }
        let place = GatewayPlace(
            host: arguments["name"]
                ?? (["0.0.0.0", "::"].contains(address) ? ProcessInfo.processInfo.hostName : address),
            port: taken, fingerprint: identity?.fingerprint)
        let console = GatewayConsole(
            server, place: place, agent: agent.name,
            log: GatewayLog(agent: agent.id, folder: configuration.folder, arguments: arguments),
            policies: policies, isJSON: arguments.has("json"))
        await console.run(until: end)
        await server.stop()
        await console.finish()
    }

    /// Names by which requests may call this machine.
    private var names: [String] {
        let own = ProcessInfo.processInfo.hostName
        return arguments.all("name") + [own, own.split(separator: ".").first.map { "\($0).local" } ?? own]
    }

    private func folder() throws -> String {
        let text = ProfileOptions.absolute(arguments["folder"] ?? FileManager.default.currentDirectoryPath)
        let path = URL(fileURLWithPath: text).resolvingSymlinksInPath().standardizedFileURL.path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("there is no folder \(text)", .noInput)
        }
        return path
    }
}

/// Where a gateway is, for those who come to it.
struct GatewayPlace {
    let host: String
    let port: Int
    let fingerprint: GatewayFingerprint?

    func invitation(_ code: GatewayCode) -> GatewayInvitation {
        GatewayInvitation(host: host, port: port, code: code, fingerprint: fingerprint)
    }

    var url: String { ListenAddress.url(host: host, port: port, isSecure: fingerprint != nil) }
}

/// The key of the gateways of a profile, and a certificate that shows it. Made once.
struct GatewayIdentity {
    let files: TLSIdentity
    let fingerprint: GatewayFingerprint

    /// - Parameter folder: where both are kept; only their owner may read them.
    init(folder: String) throws {
        let files = TLSIdentity(certificatePath: folder + "/certificate.pem", keyPath: folder + "/key.pem")
        if !FileManager.default.fileExists(atPath: files.keyPath) {
            let made = try Certificate.generate(validDays: 3650)
            let (certificate, key) = (try made.certificatePEM, try made.privateKeyPEM)
            try GatewayFolder.attempt { () throws(FileError) in
                _ = try Folder.making(folder)
                // The key comes last: with it both are there.
                try AtomicFile.write(Array(certificate.utf8), to: files.certificatePath)
                try AtomicFile.write(Array(key.utf8), to: files.keyPath)
            }
        }
        let hash: [UInt8]
        do { hash = try files.keyHash } catch { throw CommandFailure(error.message, .configuration) }
        guard let fingerprint = GatewayFingerprint(bytes: hash) else {
            throw CommandFailure("\(files.certificatePath) has no key; remove it and \(files.keyPath)", .configuration)
        }
        (self.files, self.fingerprint) = (files, fingerprint)
    }
}
