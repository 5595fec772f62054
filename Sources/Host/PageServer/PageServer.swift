import Foundation
package import Host
import Networking
import Storage

/// Serves the page of a profile to browsers on this machine, and passes each page's frames to the host.
///
/// Once it was opened it is there again when the next host process starts, at the same port and for the same browsers: so a page that
/// is open goes on after a restart or a crash of its host.
package actor PageServer {
    /// What the next process has to know, in a file that only its owner may read.
    private struct Kept: Codable {
        var name: String
        var port: Int
        var browsers: [PageAccess.Browser]
        /// Of ``PageProof``; version 0.2 had none.
        var proof: String?
    }

    private let attach: AttachServer
    private let profile: String
    private let folder: String
    private let apps: PageApps
    private var running: (servers: [HTTPServer], access: PageAccess)?
    /// The start that is under way.
    private var starting: Task<PageAccess, any Error>?

    /// - Parameters:
    ///   - folder: where the files of the page are.
    ///   - profile: where who was let in is kept.
    package init(_ attach: AttachServer, folder: String, profile: String, apps: PageApps) {
        self.apps = apps
        self.attach = attach
        self.folder = folder
        self.profile = profile
    }

    private var file: String { profile + "/page.json" }

    /// Listens if a process before did.
    package func resume() async {
        guard let kept else { return }
        // Without it `alcove open` says why it does not listen.
        _ = try? await start(port: kept.port)
    }

    /// Listens, and makes an address that lets one browser in, once.
    /// - Parameter port: where; `nil` for where it listened before, or anywhere.
    /// - Throws: ``PageError``.
    package func address(port: Int?) async throws(PageError) -> String {
        try await start(port: port).address()
    }

    /// Two that ask at once get the same server.
    private func start(port: Int?) async throws(PageError) -> PageAccess {
        let task = starting ?? Task { try await begin(port: port) }
        starting = task
        defer { starting = nil }
        do { return try await task.value } catch {
            throw error as? PageError ?? PageError(message: "the page cannot be served: \(error)")
        }
    }

    private func begin(port: Int?) async throws(PageError) -> PageAccess {
        if let running {
            guard port == nil || port == running.access.port else {
                throw PageError(
                    message: "the page is served at port \(running.access.port) already; end that with alcove host stop"
                )
            }
            return running.access
        }
        guard let pages = PageFolder(folder) else {
            throw PageError(message: "the files of the page are not in \(folder); make page builds them")
        }
        let handler = PageHandler(pages, apps, attach)
        let kept = kept
        let (servers, taken) = try await listen(
            handler, at: port.map { [$0] } ?? [kept?.port, 0, 0, 0].compactMap(\.self))
        let name = kept?.name ?? PageAccess.freshName()
        let proof = PageProof(key: kept?.proof ?? PageAccess.secret())
        let access = PageAccess(proof: proof, name: name, port: taken, browsers: kept?.browsers ?? []) {
            [file] browsers in
            Self.keep(Kept(name: name, port: taken, browsers: browsers, proof: proof.key), file)
        }
        handler.open(access)
        running = (servers, access)
        return access
    }

    /// Listens at one port of both loopback addresses: a browser takes either, and another user must not have the other one.
    private func listen(_ handler: PageHandler, at ports: [Int]) async throws(PageError) -> ([HTTPServer], Int) {
        var reason = ""
        for port in ports {
            var configuration = HTTPServerConfiguration(host: "127.0.0.1", port: port)
            configuration.connectionLimit = 256
            configuration.isForThisUser = true
            configuration.queueLimit = 64 << 20
            configuration.bodyLimit = 1 << 16
            configuration.messageLimit = AttachLine.limit
            // Whoever has nothing to ask for leaves room for the page.
            configuration.requestTimeout = .seconds(5)
            configuration.errorHeaders = PagePolicy.fields
            let first = HTTPServer(configuration: configuration, handler: handler)
            do {
                configuration.port = try await first.start()
                guard Self.hasIPv6 else { return ([first], configuration.port) }
                configuration.host = "::1"
                let second = HTTPServer(configuration: configuration, handler: handler)
                try await second.start()
                return ([first, second], configuration.port)
            } catch {
                await first.stop()
                reason = error.message
            }
        }
        throw PageError(message: reason)
    }

    /// Whether this machine has addresses of IPv6, and so the loopback address.
    private static var hasIPv6: Bool { FileManager.default.fileExists(atPath: "/proc/net/if_inet6") }

    private var kept: Kept? {
        guard let bytes = try? AtomicFile.read(file, atMost: 1 << 16) else { return nil }
        return try? JSONDecoder().decode(Kept.self, from: Data(bytes))
    }

    private static func keep(_ kept: Kept, _ file: String) {
        // Without it the page has to be opened anew after the next start.
        guard let bytes = try? JSONEncoder().encode(kept) else { return }
        try? AtomicFile.write(Array(bytes), to: file)
    }

    package func stop() async {
        for server in running?.servers ?? [] { await server.stop() }
        running = nil
    }
}

/// Why the page cannot be served.
package struct PageError: Error {
    package let message: String
}
