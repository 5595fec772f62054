import Foundation
import Host
import Networking
import Testing

@testable import PageServer

/// The page's server as it runs, asked by programs that may say anything.
@Suite(.timeLimit(.minutes(5))) struct PageServerTests {
    @Test func aTicketLetsOneBrowserInOnce() async throws {
        try await ServedPage.with { served in
            let first = try await served.get("/enter?ticket=\(served.ticket)")
            #expect(first.hasPrefix("HTTP/1.1 200") && first.contains("refresh: 0; url=/\r\n"))
            #expect(first.contains("; Path=/; HttpOnly; SameSite=Strict; Max-Age="))
            let cookie = try ServedPage.cookie(in: first)
            #expect(try await served.get("/", cookie: cookie).hasSuffix("<!doctype html>page"))
            let second = try await served.get("/enter?ticket=\(served.ticket)")
            #expect(second.hasPrefix("HTTP/1.1 403") && second.contains("alcove open"))
            #expect(!second.contains("set-cookie") && !second.contains(served.ticket))
        }
    }

    @Test(arguments: ["/", "/index.html", "/page-1.js", "/socket", "/none", "/files"])
    func nothingIsGivenWithoutACookie(path: String) async throws {
        try await ServedPage.with { served in
            for cookie in [nil, "alcove-\(served.port)=", "alcove-\(served.port)=\(served.ticket)"] {
                let answer = try await served.get(path, cookie: cookie)
                #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("Run <code>alcove open</code>"))
            }
        }
    }

    @Test(arguments: [
        "evil.example", "evil.example:PORT", "127.0.0.1:PORT", "localhost:PORT", "NAME", "NAME:1",
        "NAME.evil.example:PORT", "x.NAME:PORT", "",
    ])
    func otherNamesAreRefused(host: String) async throws {
        try await ServedPage.with { served in
            let cookie = try await served.enter()
            let host = served.filled(host)
            let answer = try await served.ask(
                "GET", "/", ["host: \(host)", "cookie: \(cookie)", "connection: close"])
            #expect(answer.hasPrefix("HTTP/1.1 40") && !answer.hasSuffix("html>page"), "\(answer.prefix(200))")
        }
    }

    @Test(arguments: [nil, "null", "http://evil.example", "https://NAME:PORT", "http://NAME", "http://localhost:PORT"])
    func otherOriginsAreRefused(origin: String?) async throws {
        try await ServedPage.with { served in
            let cookie = try await served.enter()
            let fields = origin.map { ["origin: \(served.filled($0))"] } ?? []
            #expect(try await served.upgrade(cookie, fields).hasPrefix("HTTP/1.1 403"))
            let post = ["host: \(served.host)", "cookie: \(cookie)", "content-length: 0", "connection: close"]
            #expect(try await served.ask("POST", "/files", post + fields).hasPrefix("HTTP/1.1 403"))
        }
    }

    @Test func aSocketNeedsACookieAndSpeaksFrames() async throws {
        try await ServedPage.with { served in
            let origin = ["origin: http://\(served.host)"]
            #expect(try await served.upgrade("a=b", origin).hasPrefix("HTTP/1.1 403"))
            let cookie = try await served.enter()
            #expect(try await served.upgrade(cookie, origin).hasPrefix("HTTP/1.1 101"))
        }
    }

    @Test(arguments: ["/passwd", "/../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/.", "/index.html/"])
    func onlyFilesOfThePageAreServed(path: String) async throws {
        try await ServedPage.with { served in
            let answer = try await served.get(path, cookie: try await served.enter())
            #expect(answer.hasPrefix("HTTP/1.1 40") && !answer.contains("root:"))
        }
    }

    @Test func everyAnswerHasThePolicy() async throws {
        try await ServedPage.with { served in
            let cookie = try await served.enter()
            for answer in [
                try await served.get("/", cookie: cookie), try await served.get("/none", cookie: cookie),
                try await served.get("/"), try await served.get("/enter?ticket=0"),
                try await served.ask("NONSENSE", "", []),
            ] {
                #expect(answer.contains("content-security-policy: default-src 'none'; script-src 'self';"))
                #expect(!answer.contains("unsafe-"))
                for field in [
                    "x-content-type-options: nosniff", "referrer-policy: no-referrer", "cache-control: no-store",
                    "cross-origin-opener-policy: same-origin", "cross-origin-resource-policy: same-origin",
                ] { #expect(answer.contains(field + "\r\n")) }
            }
            #expect(try await served.get("/page-1.js", cookie: cookie).contains("immutable"))
        }
    }

    @Test func aFileThatIsGivenIsWhereTheAnswerSays() async throws {
        try await ServedPage.with { served in
            let cookie = try await served.enter()
            let fields = [
                "host: \(served.host)", "cookie: \(cookie)", "origin: http://\(served.host)", "content-length: 5",
                "connection: close",
            ]
            let answer = try await served.ask("POST", "/files", fields, body: "hello")
            #expect(answer.hasPrefix("HTTP/1.1 201"))
            let json = try #require(answer.components(separatedBy: "\r\n\r\n").last)
            let handle = try #require(try JSONDecoder().decode([String: String].self, from: Data(json.utf8))["handle"])
            #expect(try String(contentsOfFile: handle, encoding: .utf8) == "hello")
            // One that breaks off leaves nothing.
            let folder = URL(fileURLWithPath: handle).deletingLastPathComponent().path
            _ = try await served.ask(
                "POST", "/files", fields.map { $0 == "content-length: 5" ? "content-length: 500" : $0 }, body: "hello",
                breaksOff: true)
            while try FileManager.default.contentsOfDirectory(atPath: folder).count > 1 {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// A browser takes either address of a name below `localhost`: whoever has the other one would be sent the cookie.
    @Test func bothLoopbackAddressesAreTheServers() async throws {
        try await ServedPage.with { served in
            guard FileManager.default.fileExists(atPath: "/proc/net/if_inet6") else { return }
            #expect(throws: (any Error).self) { try LoopbackListener(port: served.port) }
            await served.page.stop()
            // Where another one has it, the server goes somewhere else.
            let listener = try LoopbackListener(port: served.port)
            let again = try await served.restarted()
            #expect(again.port != served.port)
            await again.page.stop()
            listener.stop()
        }
    }

    @Test func aBrowserStaysLetInWhenTheHostBeginsAnew() async throws {
        try await ServedPage.with { served in
            let cookie = try await served.enter()
            let again = try await served.restarted()
            #expect(again.host == served.host)
            #expect(try await again.get("/", cookie: cookie).hasPrefix("HTTP/1.1 200"))
            await again.page.stop()
        }
    }
}

/// A page that is served by a host.
private struct ServedPage {
    let profile: AttachedProfile
    let page: PageServer
    let folder: String
    let host: String
    let port: Int
    let ticket: String

    private init(_ profile: AttachedProfile, _ folder: String) async throws {
        (self.profile, self.folder) = (profile, folder)
        page = PageServer(profile.server, folder: folder, profile: profile.place.folder)
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
        return try await Task.detached {
            try LoopbackSocket(port: port).exchange(head + body, until: end, breaksOff: breaksOff)
        }.value
    }

    func get(_ path: String, cookie: String? = nil) async throws -> String {
        try await ask("GET", path, ["host: \(host)", "connection: close"] + (cookie.map { ["cookie: \($0)"] } ?? []))
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

    static func with(_ body: (ServedPage) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("<!doctype html>page".utf8).write(to: URL(fileURLWithPath: folder + "/index.html"))
        try Data("1".utf8).write(to: URL(fileURLWithPath: folder + "/page-1.js"))
        try await AttachedProfile.with { profile in
            let served = try await ServedPage(profile, folder)
            let result: Result<Void, any Error>
            do { result = .success(try await body(served)) } catch { result = .failure(error) }
            await served.page.stop()
            try result.get()
        }
    }
}

/// Somebody else at a port of `::1`.
private struct LoopbackListener {
    private let descriptor: Int32

    struct Taken: Error {}

    init(port: Int) throws {
        descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(UInt16(port)).bigEndian
        address.sin6_addr = in6addr_loopback
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
        guard result == 0, listen(descriptor, 1) == 0 else {
            close(descriptor)
            throw Taken()
        }
    }

    func stop() { close(descriptor) }
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
