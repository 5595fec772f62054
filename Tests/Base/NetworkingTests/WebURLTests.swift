import Networking
import Testing

@Suite struct WebURLTests {
    @Test(arguments: [
        ("https://a.example", "https://a.example/"), ("HTTPS://A.Example.:443/X?y#z", "https://a.example/X?y"),
        ("http://a:8080?q=1", "http://a:8080/?q=1"), ("wss://a/b/./c/../d", "wss://a/b/d"),
        ("http://[::1]:81/a b", "http://[::1]:81/a%20b"), ("https://a/%2E%2e/x/.%2E/y", "https://a/y"),
        ("https://a/é\\\"", "https://a/%C3%A9%5C%22"), ("https://a/b%2Fc?d=%20", "https://a/b%2Fc?d=%20"),
        ("https://a/..", "https://a/"), ("https://a/b/..", "https://a/"), ("https://a/x?/../y", "https://a/x?/../y"),
    ])
    func readsURLs(text: String, expected: String) throws { #expect(try WebURL(text).description == expected) }

    @Test(arguments: [
        "", "a.example", "ftp://a/", "file:///etc/passwd", "https:/a", "https://", "https://u@a/", "https://a:0/",
        "https://a:99999/",
        "https://u:p@a/", "https://a\\@b/", "https://a%2eb/", "https://fe80::1%25eth0/", "https://a b/", "https://./",
        "javascript://a/", "https://\u{0}/", "https://aé/",
    ])
    func refusesOthers(text: String) { #expect(throws: NetworkingError.self) { try WebURL(text) } }

    @Test(arguments: [
        ("", "https://a/b/c?d"), ("e", "https://a/b/e"), ("./e/../f", "https://a/b/f"), ("/e", "https://a/e"),
        ("?e", "https://a/b/c?e"),
        ("#e", "https://a/b/c?d"), ("//x:1/y", "https://x:1/y"), ("http://z", "http://z/"),
        ("../../../e", "https://a/e"),
        ("e:f/g", nil), ("file:///e", nil), ("//u@x/", nil), ("javascript:1", nil),
    ])
    func resolvesReferences(reference: String, expected: String?) throws {
        let url = try WebURL("https://a/b/c?d")
        #expect((try? url.resolving(reference))?.description == expected)
    }

    @Test func comparesOrigins() throws {
        let url = try WebURL("https://a/b")
        #expect(try url.isSameOrigin(as: WebURL("https://a:443/c")))
        for other in ["http://a", "https://a:444", "https://b"] { #expect(!url.isSameOrigin(as: try WebURL(other))) }
        #expect(url.server == ServerURL(host: "a", port: 443, isSecure: true))
    }
}
