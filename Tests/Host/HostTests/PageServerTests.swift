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

    @Test(arguments: ["/", "/index.html", "/page-1.js", "/socket", "/none", "/files", "/notes/a/media/b"])
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
            let get = ["host: \(served.host)", "cookie: \(cookie)", "connection: close"]
            let isRefused = try await served.ask("GET", "/", get + fields).hasPrefix("HTTP/1.1 403")
            #expect(isRefused == (origin != nil), "a page that somebody leads to says no origin")
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

    @Test(arguments: [
        "/passwd", "/../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/.", "/index.html/", "/notes/a/media/b",
        "/notes/../media/a", "/notes/a/media/../SD_ID",
    ])
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

    /// A browser takes either address of a name below `localhost`: whoever has the other one would be sent the cookie.
    @Test func aWindowOfAnAppIsReachedFromThePageAlone() async throws {
        try await ServedPage.with { served in
            let cookie = try await served.enter()
            let answer = try await served.get("/windows/7", cookie: cookie)
            #expect(answer.hasPrefix("HTTP/1.1 303"))
            #expect(answer.contains("location: http://window.localhost:1/w3n-enter?ticket=1\r\n"))
            #expect(try await served.get("/windows/7").hasPrefix("HTTP/1.1 403"))
            #expect(try await served.get("/windows/8", cookie: cookie).hasPrefix("HTTP/1.1 410"))
            for path in ["/windows/", "/windows/x", "/windows/7/", "/windows/-7"] {
                #expect(try await served.get(path, cookie: cookie).hasPrefix("HTTP/1.1 404"))
            }
        }
    }

    @Test(arguments: ["cookie: COOKIE\r\nsec-fetch-site: cross-site", "cookie: COOKIE\r\nsec-fetch-dest: iframe"])
    func aWindowIsNotForOtherSitesNorForFrames(_ field: String) async throws {
        try await ServedPage.with { served in
            let cookie = try await served.enter()
            let fields = field.replacingOccurrences(of: "COOKIE", with: cookie).components(separatedBy: "\r\n")
            let answer = try await served.ask(
                "GET", "/windows/7", ["host: \(served.host)", "connection: close"] + fields)
            #expect(!answer.contains("location:"))
        }
    }

    @Test func aPictureOfAnAppIsAPictureAndNothingElse() async throws {
        try await ServedPage.with { served in
            let cookie = try await served.enter()
            let answer = try await served.get("/app-pictures/one.example", cookie: cookie)
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("content-type: image/svg+xml\r\n"))
            #expect(
                answer.contains("content-security-policy: default-src 'none'; sandbox\r\n"))
            #expect(try await served.get("/app-pictures/one.example").hasPrefix("HTTP/1.1 403"))
            for path in ["/app-pictures/two.example", "/app-pictures/", "/app-pictures/a/b", "/app-pictures/.."] {
                #expect(try await served.get(path, cookie: cookie).hasPrefix("HTTP/1.1 404"))
            }
        }
    }

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
