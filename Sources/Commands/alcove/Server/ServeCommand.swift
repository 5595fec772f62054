import Foundation
import Rendezvous

/// `alcove serve`: the rendezvous server.
struct ServeCommand: Command {
    static let reference = CommandReference(
        "serve",
        "[--listen HOST:PORT] [--store STORE [--secret-file FILE]] [--tls-cert FILE --tls-key FILE] [--turn URL …]",
        "run the rendezvous server, which brings two people together and sees no content",
        options: [
            .value("listen", "HOST:PORT", "where to listen (default 127.0.0.1:8080; port 0 takes a free one)"),
            .value("drain", "SECONDS", "how long /ready says no before the server ends (default 0)"),
            .value("tls-cert", "FILE", "PEM file with the certificate chain; then https and wss are served"),
            .value("tls-key", "FILE", "PEM file with the private key"),
        ] + StoreOptions.options + RelayOptions.options + [
            .flag(
                "behind-proxy",
                "count clients by the last address of X-Forwarded-For; only behind a proxy that sets it and limits connections"
            ),
            .flag("no-metrics", "do not serve /metrics, which shows everybody how much the server is used"),
            .flag("json", "print the address as one JSON object, and the log as JSON lines on standard error"),
        ],
        examples: [
            "alcove serve",
            "alcove serve --store redis://127.0.0.1 --secret-file /etc/alcove/nodes.secret --drain 10",
            "alcove serve --turn turn:turn.example --turn-secret-file /etc/alcove/turn.secret",
            "alcove serve --listen 0.0.0.0:8443 --store sqlite:rooms.db --tls-cert full.pem --tls-key key.pem",
        ])

    private let configuration: RendezvousConfiguration
    private let json: Bool

    init(arguments: Arguments) throws {
        let address = try ListenAddress(arguments["listen"] ?? "127.0.0.1:8080")
        var configuration = RendezvousConfiguration(
            host: address.host, port: address.port, store: try StoreOptions.store(arguments))
        switch (arguments["tls-cert"], arguments["tls-key"]) {
        case (let certificate?, let key?): configuration.tls = (certificate, key)
        case (nil, nil): break
        default: throw UsageError("--tls-cert and --tls-key go together")
        }
        if let text = arguments["drain"] {
            guard let seconds = Int(text), (0...3600).contains(seconds) else {
                throw UsageError("--drain takes 0 to 3600 seconds, not \"\(text)\"")
            }
            configuration.drainTime = .seconds(seconds)
        }
        configuration.relays = try RelayOptions.servers(arguments)
        configuration.trustsForwardedFor = arguments.has("behind-proxy")
        configuration.servesMetrics = !arguments.has("no-metrics")
        json = arguments.has("json")
        if json { configuration.log = { Terminal.log(.json($0)) } }
        self.configuration = configuration
    }

    func run() async throws {
        let end = await Signals()
        let server: RendezvousServer
        let port: Int
        do {
            server = try RendezvousServer(configuration)
            port = try await server.start()
        } catch let error as RendezvousError {
            throw CommandFailure(error.message, error.code == .cannotListen ? .unavailable : .cannotCreate)
        }
        let url = ListenAddress.url(host: configuration.host, port: port, isSecure: configuration.tls != nil)
        if json {
            try Terminal.print(json: ["url": url])
        } else {
            Terminal.print("rendezvous server: \(url)  (end with Control-C)")
        }
        await end.wait()
        await server.stop()
    }
}
