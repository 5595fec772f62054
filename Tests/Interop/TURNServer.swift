import DataChannels
import Foundation

/// A coturn server on loopback for as long as the value lives.
final class TURNServer {
    let port: UInt16
    private let process: ChildProcess
    private let folder: URL

    init() throws {
        port = try LoopbackPort.free()
        folder = FileManager.default.temporaryDirectory.appending(path: "turn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let arguments = [
            "-n", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", "--listening-port=\(port)", "--realm=interop",
            "--lt-cred-mech", "--user=interop:secret", "--allow-loopback-peers", "--no-tls", "--no-dtls", "--no-cli",
            "--no-rfc5780", "--log-file=\(folder.path)/log", "--simple-log", "--pidfile=\(folder.path)/pid",
            "--db=\(folder.path)/db",
        ]
        process = try ChildProcess(program: Programs.turnServer(), arguments: arguments)
    }

    deinit {
        process.end(grace: .seconds(0))
        try? FileManager.default.removeItem(at: folder)
    }

    /// A configuration that may use nothing but this server, which is found by name.
    func configuration(transport: String) throws -> PeerConnectionConfiguration {
        try PeerConnectionConfiguration(
            iceServers: [
                ICEServer(
                    urls: ["turn:localhost:\(port)?transport=\(transport)"], username: "interop", credential: "secret")
            ],
            iceTransportPolicy: .relay, bindAddresses: ["127.0.0.1"])
    }

    /// Waits until the server answers.
    func ready() async throws {
        let log = folder.appending(path: "log")
        for _ in 0..<1000 {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for file in files where file.hasPrefix("log") {
                let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
                if text.contains("Total General servers") { return }
            }
            if !process.process.isRunning { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ForeignPeer.Broken(description: "coturn did not start; see \(log.path)")
    }
}
