import AppCore
import Networking

@testable import Host

/// A profile with a host in this process, and clients that attach to it through its socket.
final class AttachedProfile {
    let place = ProfilePlace()
    let host: AppHost
    let server: AttachServer

    init(_ scenario: String? = nil, passphrase: String? = nil) async throws {
        if let scenario { try place.fill(with: scenario) }
        host = try await place.start()
        server = AttachServer(host)
        try await server.start(profile: place.folder)
    }

    func client() async throws -> RemoteHost { try await RemoteHost(profile: place.folder) }

    func line() throws -> LineChannel {
        var limits = LineChannel.Limits()
        limits.line = 64 << 20
        return try LineChannel(path: AttachServer.path(of: place.folder), limits: limits)
    }

    func stop() async {
        await server.stop()
        await place.stop()
    }

    static func with(_ scenario: String? = nil, _ body: (AttachedProfile) async throws -> Void) async throws {
        let profile = try await AttachedProfile(scenario)
        let result: Result<Void, any Error>
        do { result = .success(try await body(profile)) } catch { result = .failure(error) }
        await profile.stop()
        try result.get()
    }
}

extension LineChannel {
    func say(_ frame: ClientFrame) { send(AttachLine.encode(frame)) }

    /// The next frame that fulfils a condition.
    func hear(_ isWanted: (HostFrame) -> Bool = { _ in true }) async throws -> HostFrame {
        while let line = await next() {
            let frame = try AttachLine.decode(HostFrame.self, from: line)
            if isWanted(frame) { return frame }
        }
        throw Ended(after: nil)
    }

    struct Ended: Error { let after: HostFrame? }

    /// Says hello and takes the welcome.
    @discardableResult func greet(session: String? = nil, rev: UInt64? = nil) async throws -> String {
        say(.hello(v: attachVersion, session: session, rev: rev, screens: nil))
        let first = try await hear()
        guard case .welcome(_, _, let session, _, _, _) = first else { throw Ended(after: first) }
        return session
    }
}

extension HostFrame {
    var isTree: Bool { if case .tree = self { true } else { false } }
    var isPatch: Bool { if case .patch = self { true } else { false } }
    var isDid: Bool { if case .did = self { true } else { false } }
    var isBye: Bool { if case .bye = self { true } else { false } }
}
