import AppCore
import Cryptography
import Host
import KeyAccess
import Networking
import Storage

/// `alcove kas serve`: the key access service.
struct KeyAccessServeCommand: Command {
    static let reference = CommandReference(
        "kas serve", "[--listen HOST:PORT] [--keys DIR | --key FILE] [--policy FILE] [--audit FILE]",
        "run a key access service, which gives keys of NanoTDFs to those whom their policy admits",
        options: [
            .value("listen", "HOST:PORT", "where to listen (default 127.0.0.1:8081; port 0 takes a free one)"),
            .value(
                "keys", "DIR",
                "private keys as ID.pem; one is made if there is none (default key-access in the profile)"),
            .value("key", "FILE", "one private key in place of a folder; it is made if it is missing"),
            .value(
                "policy", "FILE",
                "who may call and what for (default: anybody on this machine, for files without attributes)"),
            .value("audit", "FILE", "append every decision there as a line of JSON (default: standard error)"),
            .value("address", "URL", "the address under which clients know the service (default: where it listens)"),
            .value("tls-cert", "FILE", "PEM file with the certificate chain; then https is served"),
            .value("tls-key", "FILE", "PEM file with the private key of the certificate"),
            .flag(
                "behind-proxy", "count clients by the last address of X-Forwarded-For; only behind a proxy that sets it"
            ),
            .flag("json", "print the address and the public keys as one JSON object"),
        ],
        examples: [
            "alcove kas serve",
            "alcove kas serve --listen 0.0.0.0:8443 --policy policy.json --audit audit.jsonl "
                + "--tls-cert full.pem --tls-key key.pem",
        ])

    private static let standardFolder = ProfileDirectory.standardPath + "/key-access"

    private let arguments: Arguments
    private let address: ListenAddress
    private let tls: TLSIdentity?

    init(arguments: Arguments) throws {
        address = try ListenAddress(arguments["listen"] ?? "127.0.0.1:8081")
        switch (arguments["tls-cert"], arguments["tls-key"]) {
        case (let certificate?, let key?): tls = TLSIdentity(certificatePath: certificate, keyPath: key)
        case (nil, nil): tls = nil
        default: throw UsageError("--tls-cert and --tls-key go together")
        }
        guard arguments["key"] == nil || arguments["keys"] == nil else {
            throw UsageError("--key and --keys exclude each other")
        }
        self.arguments = arguments
    }

    func run() async throws {
        let end = await Signals()
        var configuration = KeyAccessConfiguration(keys: try keys(), policy: try policy())
        (configuration.host, configuration.port, configuration.tls) = (address.host, address.port, tls)
        configuration.address = arguments["address"]
        configuration.trustsForwardedFor = arguments.has("behind-proxy")
        configuration.audit = try audit()
        let server: KeyAccessServer
        let port: Int
        do {
            server = try KeyAccessServer(configuration)
            port = try await server.start()
        } catch {
            throw CommandFailure(error.message, error.code == .unavailable ? .unavailable : .configuration)
        }
        try report(ListenAddress.url(host: address.host, port: port, isSecure: tls != nil), configuration.keys)
        await end.wait()
        await server.stop()
    }

    private func keys() throws -> ServiceKeys {
        guard let file = arguments["key"] else {
            return try ServiceKeyFolder(path: arguments["keys"] ?? Self.standardFolder).keys()
        }
        let key = try ServiceKeyFolder.key(file)
        do {
            return try ServiceKeys([key])
        } catch {
            throw CommandFailure("\(file): \(error.message)", .configuration)
        }
    }

    private func policy() throws -> AccessPolicy {
        guard let path = arguments["policy"] else { return .loopback }
        do {
            return try AccessPolicy(file: AtomicFile.read(path, atMost: AccessPolicy.byteLimit))
        } catch let error as FileError {
            throw CommandFailure(error.message, .noInput)
        } catch let error as KeyAccessError {
            throw CommandFailure("\(path): \(error.message)", .configuration)
        }
    }

    private func audit() throws -> @Sendable (String) throws -> Void {
        guard let path = arguments["audit"] else { return { Terminal.log(.json($0)) } }
        do {
            let file = try LogFile(path: path)
            return { try file.append($0) }
        } catch {
            throw CommandFailure(error.message, .cannotCreate)
        }
    }

    private struct Report: Encodable {
        struct Key: Encodable {
            var id: String
            var curve: String
            var publicKey: String
        }

        var url: String
        var keys: [Key]
    }

    private func report(_ url: String, _ keys: ServiceKeys) throws {
        let report = Report(
            url: url,
            keys: try keys.keys.map { key in
                Report.Key(
                    id: key.id, curve: key.privateKey.curve.name, publicKey: try key.privateKey.publicKey.pem)
            })
        guard !arguments.has("json") else {
            return try Terminal.print(json: report)
        }
        for key in report.keys { Terminal.print("key \(key.id) on \(key.curve):\n\(.text(key.publicKey))") }
        Terminal.print("key access service: \(url)  (end with Control-C)")
    }
}
