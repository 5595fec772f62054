import Testing

@testable import ScriptEngine

@Suite struct URLTests {
    /// Texts without a base; `nil` is what cannot be parsed.
    private static let absolute: [(String, String?)] = [
        ("http://example.com", "http://example.com/"), ("HTTP://EXAMPLE.com:80/A", "http://example.com/A"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("  http://a/\\n\\tb  ", "http://a/b"), ("http:\\\\\\\\a\\\\b", "http://a/b"), ("http:a", "http://a/"),
        ("http:///a", "http://a/"), ("http://user:pa:ss@h/", "http://user:pa%3Ass@h/"),
        ("http://u@h", "http://u@h/"), ("http://@h", "http://h/"), ("http://:@h", "http://h/"),
        ("http://a@b@c/", "http://a%40b@c/"), ("http://u:@h/", "http://u@h/"),
        ("http://a/b/../c/./d", "http://a/c/d"), ("http://a/b/..", "http://a/"), ("http://a/b/.", "http://a/b/"),
        ("http://a/%2e%2E/b/%2e", "http://a/b/"), ("http://a/../../b", "http://a/b"), ("http://a//b", "http://a//b"),
        ("http://a/ b?c d#e f", "http://a/%20b?c%20d#e%20f"), ("http://a/ä?ö#ü", "http://a/%C3%A4?%C3%B6#%C3%BC"),
        ("http://a/?'", "http://a/?%27"), ("x://a/?'", "x://a/?'"), ("http://a/{}`^", "http://a/%7B%7D%60%5E"),
        ("http://a/%", "http://a/%"), ("http://a/?", "http://a/?"), ("http://a/#", "http://a/#"),
        ("http://a?b#c?d", "http://a/?b#c?d"), ("http://a/b;c=d", "http://a/b;c=d"),
        ("http://1.2.3", "http://1.2.0.3/"), ("http://0x7f.1", "http://127.0.0.1/"),
        ("http://017.1", "http://15.0.0.1/"),
        ("http://4294967295", "http://255.255.255.255/"), ("http://4294967296", nil), ("http://1.2.3.256", nil),
        ("http://1.2.3.4.5", nil), ("http://a.1", nil), ("http://1.2.3.4.", "http://1.2.3.4/"), ("http://09", nil),
        ("http://[::1]:80/", "http://[::1]/"), ("http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/"),
        ("http://[::ffff:1.2.3.4]/", "http://[::ffff:102:304]/"),
        ("http://[1:2:3:4:5:6:7:8]", "http://[1:2:3:4:5:6:7:8]/"),
        ("http://[1::2::3]", nil), ("http://[1:2:3]", nil), ("http://[::1", nil), ("http://[g::]", nil),
        ("http://[::1.2.3]", nil), ("http://[0:0:0:0:0:0:0:0]", "http://[::]/"),
        ("http://[1:0:2:0:3:0:4:0]", "http://[1:0:2:0:3:0:4:0]/"),
        ("http://a b", nil), ("http://a<b", nil), ("http://a%00b", nil), ("http://%41.com", "http://a.com/"),
        ("http://a:65536", nil), ("http://a:b", nil), ("http://a:", "http://a/"), ("http://:80", nil), ("http://", nil),
        ("http://u@", nil), ("http://u@/x", nil), ("https://", nil), ("", nil), ("a", nil), ("//a", nil), ("/a", nil),
        ("?a", nil),
        ("http://bücher.de", "http://xn--bcher-kva.de/"), ("http://Faß.de", "http://xn--fa-hia.de/"),
        ("http://例え。テスト", "http://xn--r8jz45g.xn--zckzah/"), ("http://☃.net/", "http://xn--n3h.net/"),
        ("http://ＧＯ.com", "http://go.com/"), ("http://a\\u{ad}b", "http://ab/"),
        ("mailto:a@b.c", "mailto:a@b.c"), ("data:text/plain,a b#c", "data:text/plain,a b#c"),
        ("javascript:alert(1)", "javascript:alert(1)"), ("x:", "x:"), ("x:/a/../b", "x:/b"), ("x:///a", "x:///a"),
        ("x://H/../a", "x://H/a"), ("x://a b", nil), ("x:/..//a", "x:/.//a"), ("x://h?a", "x://h?a"), ("x://", "x://"),
        ("blob:https://a.b/c", "blob:https://a.b/c"), ("urn:a:b", "urn:a:b"), ("x:a ?b", "x:a%20?b"),
        ("file:///a/b", "file:///a/b"), ("file:a", "file:///a"), ("file://localhost/a", "file:///a"),
        ("file://h/a", "file://h/a"), ("file:///C|/a/../..", "file:///C:/"), ("file:C:\\\\a", "file:///C:/a"),
        ("file://C:/a", "file:///C:/a"), ("file:", "file:///"), ("file:\\\\\\\\h\\\\a", "file://h/a"),
        ("ws://a:80", "ws://a/"), ("wss://a:443/b", "wss://a/b"), ("ftp://a:21", "ftp://a/"), ("1http://a", nil),
        ("http://a/\\ud800", "http://a/%EF%BF%BD"),
    ]

    @Test(arguments: absolute)
    func absoluteTextsAreParsed(text: String, expected: String?) async throws {
        let result = try await evaluate("URL.parse(\"\(text)\")?.href ?? null")
        #expect(result == expected.map(ScriptData.string) ?? .null)
    }

    private static let relative: [(String, String, String?)] = [
        ("d", "http://a/b/c?q#f", "http://a/b/d"), ("/d", "http://a/b/c", "http://a/d"),
        ("//d", "http://a/b", "http://d/"),
        ("?x", "http://a/b?q#f", "http://a/b?x"), ("#x", "http://a/b?q#f", "http://a/b?q#x"),
        ("", "http://a/b?q#f", "http://a/b?q"),
        ("../d", "http://a/b/c/e", "http://a/b/d"), ("../../../d", "http://a/b/c", "http://a/d"),
        (".", "http://a/b/c", "http://a/b/"),
        ("http:d", "http://a/b/c", "http://a/b/d"), ("https:d", "http://a/b/c", "https://d/"),
        ("\\\\d", "http://a/b", "http://a/d"),
        ("\\\\\\\\d/e", "http://a/b", "http://d/e"), ("http:", "http://a/b?q", "http://a/b?q"),
        ("x:d", "http://a/b", "x:d"),
        ("d", "x://a/b/c", "x://a/b/d"), ("\\\\d", "x://a/b/c", "x://a/b/\\\\d"), ("//d", "x://a/b", "x://d"),
        ("d", "mailto:a", nil), ("#d", "mailto:a", "mailto:a#d"), ("", "mailto:a", nil), ("?d", "mailto:a", nil),
        ("d", "file:///a/b", "file:///a/d"), ("/d", "file:///C:/a", "file:///C:/d"),
        ("/D:/e", "file:///C:/a", "file:///D:/e"),
        ("D|/e", "file:///C:/a", "file:///D:/e"), ("..", "file:///C:/a", "file:///C:/"),
        ("//h/d", "file:///a", "file://h/d"),
        ("?x", "file:///a/b?q", "file:///a/b?x"), ("", "file:///a/b?q#f", "file:///a/b?q"),
        ("file:d", "file:///a/b", "file:///a/d"),
        ("/d", "http://u:p@a:8080/b", "http://u:p@a:8080/d"), ("d", "a", nil), ("http://e", "nonsense", nil),
    ]

    @Test(arguments: relative)
    func relativeTextsAreResolved(text: String, base: String, expected: String?) async throws {
        let result = try await evaluate("URL.parse(\"\(text)\", \"\(base)\")?.href ?? null")
        #expect(result == expected.map { ScriptData.string($0.replacing("\\\\", with: "\\")) } ?? .null)
    }

    @Test func partsCanBeRead() async throws {
        let parts = try await evaluate(
            """
            const u = new URL("https://user:word@example.com:8080/a/b?c=d&e#f");
            [u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.origin,
                `${u}`, JSON.stringify(u), new URL("blob:https://a.b/c").origin, new URL("file:///a").origin,
                new URL("http://a/?#").search + new URL("http://a/?#").hash].join(" ")
            """)
        #expect(
            parts
                == .string(
                    "https: user word example.com:8080 example.com 8080 /a/b ?c=d&e #f https://example.com:8080 "
                        + "https://user:word@example.com:8080/a/b?c=d&e#f "
                        + "\"https://user:word@example.com:8080/a/b?c=d&e#f\" https://a.b null "))
    }

    @Test(arguments: [
        ("http://a/", "protocol", "https", "https://a/"), ("http://a:443/", "protocol", "https:x", "https://a/"),
        ("http://a/", "protocol", "x", "http://a/"), ("x://a/", "protocol", "http", "x://a/"),
        ("http://a:80/", "port", "8080", "http://a:8080/"), ("http://a:8080/", "port", "", "http://a/"),
        ("http://a/", "port", "99x", "http://a:99/"), ("http://a:1/", "port", "65536", "http://a:1/"),
        ("http://a/", "port", "x", "http://a/"), ("file:///a", "port", "1", "file:///a"),
        ("http://a/", "host", "b:81", "http://b:81/"), ("http://a:1/", "host", "b", "http://b:1/"),
        ("http://a/", "host", "", "http://a/"), ("http://a/", "hostname", "b:81", "http://a/"),
        ("http://a/", "hostname", "b/c", "http://b/"), ("x://a/b", "host", "", "x:///b"),
        ("mailto:a", "host", "b", "mailto:a"),
        ("http://a/b", "pathname", "c d?e#f", "http://a/c%20d%3Fe%23f"), ("http://a/b", "pathname", "", "http://a/"),
        ("mailto:a", "pathname", "b", "mailto:a"), ("http://a/?b", "search", "", "http://a/"),
        ("http://a/", "search", "?c d", "http://a/?c%20d"), ("http://a/#b", "hash", "", "http://a/"),
        ("http://a/", "hash", "#c d", "http://a/#c%20d"), ("http://a/", "username", "u@", "http://u%40@a/"),
        ("http://u@a/", "password", "p:", "http://u:p%3A@a/"), ("file:///a", "username", "u", "file:///a"),
        ("http://a/", "href", "x:y", "x:y"),
    ])
    func partsCanBeSet(text: String, part: String, value: String, expected: String) async throws {
        #expect(try await evaluate("const u = new URL('\(text)'); u.\(part) = '\(value)'; u.href") == .string(expected))
    }

    @Test func textsThatAreNoURLsThrow() async throws {
        #expect(await failure { try await evaluate("new URL('nonsense')") }?.name == "TypeError")
        #expect(await failure { try await evaluate("new URL('http://a').href = 'nonsense'") }?.name == "TypeError")
        #expect(try await evaluate("URL.canParse('http://a') && !URL.canParse('a')") == .bool(true))
    }

    @Test(arguments: [
        ("new URLSearchParams('?a=1&b=2&a=3').getAll('a').join()", "1,3"),
        ("new URLSearchParams('a+b=c%20d').get('a b')", "c d"),
        ("`${new URLSearchParams([['a b', 'ä&='], ['*-._~', \"'\"]])}`", "a+b=%C3%A4%26%3D&*-._%7E=%27"),
        ("`${new URLSearchParams({ a: 1, b: null })}`", "a=1&b=null"),
        ("`${new URLSearchParams('a&b=&=c&&')}`", "a=&b=&=c"),
        ("const p = new URLSearchParams('a=1&b=2&a=3'); p.set('a', 9); `${p}`", "a=9&b=2"),
        (
            "const p = new URLSearchParams('a=1&a=2'); p.delete('a', '1'); `${p} ${p.has('a', '1')} ${p.size}`",
            "a=2 false 1"
        ),
        ("const p = new URLSearchParams('b=1&a=2&b=0'); p.sort(); [...p].join()", "a,2,b,1,b,0"),
        ("const p = new URLSearchParams(new URLSearchParams('a=b')); [...p.keys(), ...p.values()].join()", "a,b"),
        ("let s = ''; new URLSearchParams('a=b').forEach((v, k) => s += k + v); s", "ab"),
        ("const u = new URL('http://a/?b=c'); u.searchParams.append('d', 'e f'); u.href", "http://a/?b=c&d=e+f"),
        ("const u = new URL('http://a/?b=c'), p = u.searchParams; u.search = 'x=y'; `${p}`", "x=y"),
        ("const u = new URL('http://a/?b'); u.searchParams.delete('b'); u.href", "http://a/"),
        ("new URLSearchParams('a=%ff%e2%82').get('a')", "\u{fffd}\u{fffd}"),
        ("`${new URLSearchParams('a=\\ud800')}`", "a=%EF%BF%BD"),
    ])
    func searchParameters(source: String, expected: String) async throws {
        #expect(try await evaluate(source) == .string(expected))
    }
}
