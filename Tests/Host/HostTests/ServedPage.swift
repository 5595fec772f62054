import Foundation
import Testing

@testable import Host
@testable import PageServer

/// A page that is served by a host.
struct ServedPage {
    let profile: AttachedProfile
    let page: PageServer
    let folder: String
    let host: String
    let port: Int
    let ticket: String

    private init(_ profile: AttachedProfile, _ folder: String) async throws {
        (self.profile, self.folder) = (profile, folder)
        let apps = PageApps { instance in
            guard instance == "7" else { throw CancellationError() }
            return "http://window.localhost:1/w3n-enter?ticket=1"
        } picture: { app in
            app == "one.example" ? AppPicture(bytes: Array("<svg/>".utf8), type: "image/svg+xml") : nil
        }
        page = PageServer(profile.server, folder: folder, profile: profile.place.folder, apps: apps)
        let parts = try #require(URLComponents(string: try await page.address(port: nil)))
        port = try #require(parts.port)
        host = "\(parts.host ?? ""):\(port)"
        ticket = try #require(parts.queryItems?.first?.value)
    }

    func filled(_ text: String) -> String {
        text.replacingOccurrences(of: "PORT", with: "\(port)")
            .replacingOccurrences(of: "NAME", with: String(host.prefix { $0 != ":" }))
    }

    /// The server of the next process.
    func restarted() async throws -> ServedPage {
        await page.stop()
        return try await ServedPage(profile, folder)
    }

    /// Sends a request as it is written and reads until the server ends the connection, or `end` has come.
    func ask(
        _ method: String, _ path: String, _ fields: [String], body: String = "", until end: String? = nil,
        breaksOff: Bool = false
    ) async throws -> String {
        let head = (["\(method) \(path) HTTP/1.1"] + fields + ["", ""]).joined(separator: "\r\n")
        let port = port
        // Threads of tasks stay free for the server.
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try LoopbackSocket(port: port).exchange(head + body, until: end, breaksOff: breaksOff)
                    })
            }
        }
    }

    func get(_ path: String, cookie: String? = nil) async throws -> String {
        try await ask("GET", path, ["host: \(host)", "connection: close"] + (cookie.map { ["cookie: \($0)"] } ?? []))
    }

    /// Gives a file as the page does.
    func give(_ content: String, session: String, cookie: String, length: Int? = nil) async throws -> String {
        let fields = [
            "host: \(host)", "cookie: \(cookie)", "origin: http://\(host)", "alcove-session: \(session)",
            "content-length: \(length ?? content.utf8.count)", "connection: close",
        ]
        return try await ask("POST", "/files", fields, body: content, breaksOff: length != nil)
    }

    func enter() async throws -> String { try Self.cookie(in: try await get("/enter?ticket=\(ticket)")) }

    func upgrade(_ cookie: String, _ fields: [String]) async throws -> String {
        try await ask(
            "GET", "/socket",
            [
                "host: \(host)", "cookie: \(cookie)", "connection: Upgrade", "upgrade: websocket",
                "sec-websocket-version: 13", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + fields, until: "\r\n\r\n")
    }

    static func cookie(in answer: String) throws -> String {
        let line = try #require(answer.components(separatedBy: "\r\n").first { $0.hasPrefix("set-cookie: ") })
        return String(try #require(line.dropFirst("set-cookie: ".count).split(separator: ";").first))
    }

    static func with(_ scenario: String? = nil, _ body: (ServedPage) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("<!doctype html>page".utf8).write(to: URL(fileURLWithPath: folder + "/index.html"))
        try Data("1".utf8).write(to: URL(fileURLWithPath: folder + "/page-1.js"))
        try await AttachedProfile.with(scenario) { profile in
            let served = try await ServedPage(profile, folder)
            let result: Result<Void, any Error>
            do { result = .success(try await body(served)) } catch { result = .failure(error) }
            await served.page.stop()
            try result.get()
        }
    }
}

/// A plain TCP connection, so that requests can be wrong.
private struct LoopbackSocket {
    let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    func exchange(_ text: String, until end: String?, breaksOff: Bool) throws -> String {
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        try #require(send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        var (answer, part) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while !breaksOff {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { break }
            answer += part[..<count]
            if let end, String(decoding: answer, as: UTF8.self).contains(end) { break }
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
