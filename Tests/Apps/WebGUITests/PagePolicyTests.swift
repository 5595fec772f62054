import Components
import Networking
import Testing

@testable import WebGUI

struct PagePolicyTests {
    private func policy(_ addresses: [AddressPattern] = [], _ capabilities: [Capability] = []) -> PagePolicy {
        let permissions =
            addresses.map { Permission(.network, .address($0)) } + capabilities.map { Permission($0) }
        return PagePolicy(
            permissions: Permissions(permissions), origin: "http://a.localhost:1", window: "http://b.localhost:1")
    }

    private func destinations(_ addresses: AddressPattern...) -> String? {
        policy(addresses).contentSecurity.split(separator: "; ").first { $0.hasPrefix("connect-src ") }.map {
            String($0.dropFirst("connect-src 'self' ws://a.localhost:1".count))
        }
    }

    @Test func allowsNothingBeyondTheSite() {
        let text = policy().contentSecurity
        for directive in [
            "default-src 'self'", "frame-ancestors http://b.localhost:1;", "object-src 'none'", "base-uri 'none'",
            "webrtc 'block'",
        ] {
            #expect(text.contains(directive))
        }
        #expect(text.contains("script-src 'self' 'wasm-unsafe-eval';"))
        #expect(!text.contains("allow-popups") && !text.contains("allow-top-navigation"))
        #expect(!text.contains("allow-downloads"))
        #expect(destinations() == "")
    }

    @Test func namesWhereThePageMayConnect() {
        #expect(
            destinations(
                AddressPattern(scheme: .https, hosts: .named("example.org", subdomains: true), pathPrefix: "/feeds/"))
                == " https://example.org/feeds/ https://*.example.org/feeds/")
        #expect(
            destinations(AddressPattern(scheme: .wss, hosts: .named("x.org", subdomains: false), port: 8443))
                == " wss://x.org:8443")
    }

    @Test func leavesAnyHostToTheHostsOwnRequests() {
        #expect(destinations(AddressPattern(scheme: .https, hosts: .any)) == "")
    }

    @Test(arguments: ["/a; script-src *", "/a, default-src *", "/a b", "/ä\r\nx: y"])
    func keepsAPathFromSayingMore(_ path: String) throws {
        let sources = try #require(
            destinations(AddressPattern(scheme: .https, hosts: .named("x.org", subdomains: false), pathPrefix: path)))
        #expect(sources.hasPrefix(" https://x.org/"))
        #expect(!sources.dropFirst().contains { " ,;\r\n".contains($0) })
    }

    @Test(arguments: ["x.org; script-src *", "*", "[::1]", "", "'unsafe-eval'"]) func keepsAHostFromSayingMore(
        _ host: String
    ) {
        #expect(destinations(AddressPattern(scheme: .https, hosts: .named(host, subdomains: false))) == "")
    }

    @Test func opensDevicesByGrant() throws {
        let none = try #require(policy().fields["permissions-policy"])
        #expect(none.contains("camera=(), microphone=()") && none.contains("geolocation=()"))
        let some = try #require(policy([], [.cameras, .clipboard, .webRTC]).fields["permissions-policy"])
        #expect(some.contains("camera=(self), microphone=()") && some.contains("clipboard-read=(self)"))
        #expect(!policy([], [.webRTC]).contentSecurity.contains("webrtc"))
    }
}

struct ContentTypeTests {
    @Test(arguments: [
        ("/index.html", "text/html"), ("/a/b.c/x.mjs", "text/javascript"), ("/x.min.js", "text/javascript"),
        ("/f.woff2", "font/woff2"), ("/m.wasm", "application/wasm"), ("/s.mp3", "audio/mpeg"),
        ("/d.json", "application/json"),
        ("/X.HTML", ContentType.unknown), ("/html", ContentType.unknown), ("/a.b/c", ContentType.unknown),
        ("/x.", ContentType.unknown),
    ]) func followsTheExtension(_ path: String, _ type: String) throws {
        #expect(ContentType.of(try #require(PackPath(path))) == type)
    }
}
