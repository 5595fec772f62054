import AppPacks
import Apps
import Components
import Foundation
import Networking
import Synchronization
import Testing

/// The apps of `Apps/`, as a person uses them.
@Suite("The sample apps", .serialized, .timeLimit(.minutes(1)))
struct SampleAppTests {
    static let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Apps")
        .standardized

    /// Installs a sample. The feed reader may reach loopback here, which it says nothing of as it is.
    private func install(_ name: String, into apps: TestApps) throws -> AppDomain {
        let copy = apps.folder.appending(path: name)
        try FileManager.default.copyItem(at: Self.samples.appending(path: name), to: copy)
        let file = copy.appending(path: "manifest.json")
        let manifest = try String(contentsOf: file, encoding: .utf8)
            .replacing(
                #"{ "schema": "http", "anyDomain": true }"#, with: #"{ "schema": "http", "domain": "127.0.0.1:PORT" }"#)
        try Data(manifest.replacing("127.0.0.1:PORT", with: Self.host.withLock { $0 }).utf8).write(to: file)
        let inspection = try apps.library.inspect(copy.path)
        return try apps.library.install(inspection, granting: Set(inspection.newRequests.map(\.capability))).domain
    }

    @Test("a checklist: add, check, show, clear")
    func checklist() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try install("checklist", into: apps)
        let platform = apps.platform()
        #expect(try await platform.said(app, "show") == ["nothing to do: `add LIST TEXT`"])
        #expect(
            try await platform.said(app, "add", ["shopping", "two", "lemons"]) == [
                "shopping (0 of 1)", "  1. [ ] two lemons",
            ])
        _ = try await platform.said(app, "add", ["shopping", "tea"])
        #expect(
            try await platform.said(app, "check", ["shopping", "1"])
                == ["shopping (1 of 2)", "  1. [x] two lemons", "  2. [ ] tea"])
        #expect(try await platform.said(app, "check", ["shopping", "9"]) == ["there is no item 9 in this list"])
        #expect(
            try await platform.said(app, "move", ["shopping", "2", "1"])
                == ["shopping (1 of 2)", "  1. [ ] tea", "  2. [x] two lemons"])
        #expect(try await platform.said(app, "clear", ["shopping"]) == ["shopping (0 of 1)", "  1. [ ] tea"])
        await platform.close()

        // Another process, later.
        let again = apps.platform()
        #expect(try await again.said(app, "show") == ["shopping (0 of 1)", "  1. [ ] tea"])
        await again.close()
    }

    @Test("a feed reader: follow, find what is new once, tell what is wrong")
    func feedReader() async throws {
        let (site, apps, app) = try await openFeedReader()
        defer { apps.remove() }
        let platform = apps.platform()
        site.serve("/rss", Self.rss(items: ["One &amp; only", "Two"]), headers: ["etag": "\"1\""])
        site.serve("/atom", Self.atom)
        site.serve("/page", "<html><body>no feed</body></html>")

        #expect(try await platform.said(app, "add", [site.url + "/rss"]) == ["following Tea news, 2 items"])
        #expect(try await platform.said(app, "add", [site.url + "/atom"]) == ["following Atoms, 1 item"])
        #expect(
            try await platform.said(app, "add", [site.url + "/page"]) == [
                "there is no RSS or Atom feed at this address"
            ])
        #expect(try await platform.said(app, "add", [site.url + "/gone"]) == ["the server answered with status 404"])
        let news = try await platform.said(app, "news")
        #expect(news.contains { $0.hasSuffix("Tea news: One & only") })
        #expect(news.last == "3 unread")

        #expect(try await platform.said(app, "refresh") == ["Tea news: 0 new", "Atoms: 0 new"])
        #expect(site.requests.last { $0.path == "/rss" }?.headers["if-none-match"] == "\"1\"")
        site.serve("/rss", Self.rss(items: ["Three", "One &amp; only", "Two"]), headers: ["etag": "\"2\""])
        #expect(try await platform.said(app, "refresh") == ["Tea news: 1 new", "Atoms: 0 new"])
        #expect(try await platform.said(app, "read", ["all"]) == ["4 items marked as read"])
        #expect(try await platform.said(app, "news") == ["0 unread"])
        await platform.close()
        await site.close()
    }

    /// A feed reader that follows nothing, and the site that it may ask.
    private func openFeedReader() async throws -> (site: WebSite, apps: TestApps, app: AppDomain) {
        let site = try await WebSite.open()
        let apps = try TestApps()
        Self.host.withLock { $0 = String(site.url.dropFirst("http://".count)) }
        return (site, apps, try install("feed-reader", into: apps))
    }

    @Test(
        "a feed that means harm is read in one pass",
        arguments: [
            ("", "<![CDATA[", 500_000), ("", "<!--", 1_000_000), ("", "<", 4_000_000), ("", "<a>", 500_000),
            ("", "<a b='", 500_000), ("<a ", "a=\"b\" ", 500_000), ("<item><title>", "&lt;", 500_000),
        ])
    func hostileFeed(beginning: String, piece: String, count: Int) async throws {
        let (site, apps, app) = try await openFeedReader()
        defer { apps.remove() }
        let platform = apps.platform()
        let rest = beginning + String(repeating: piece, count: count)
        site.serve("/feed", "<rss><channel><title>Harm</title><item><title>One</title></item>" + rest)
        let said = try await platform.said(app, "add", [site.url + "/feed"])
        #expect(said.count == 1 && said[0].hasPrefix("following Harm, "))
        await platform.close()
        await site.close()
    }

    @Test("of a feed that is too long the first items are read, and told of once")
    func longFeed() async throws {
        let (site, apps, app) = try await openFeedReader()
        defer { apps.remove() }
        let platform = apps.platform()
        site.serve("/feed", Self.rss(titles: (0..<20_000).map { "Number \($0)" }))
        #expect(try await platform.said(app, "add", [site.url + "/feed"]) == ["following Tea news, 500 items"])
        #expect(try await platform.said(app, "refresh") == ["Tea news: 0 new"])
        site.serve("/feed", Self.rss(titles: ["Newest"] + (0..<20_000).map { "Number \($0)" }))
        #expect(try await platform.said(app, "refresh") == ["Tea news: 1 new"])
        // Without dates they stay in the order of the feed.
        let news = try await platform.said(app, "news", ["500"])
        let titles = ["Newest"] + (0..<499).map { "Number \($0)" }
        #expect(news.dropLast().map { $0.dropFirst("2026-01-02  Tea news: ".count) } == titles.map { $0[...] })
        #expect(try await platform.said(app, "news", ["1"]).last == "1 of 500 unread")
        await platform.close()
        await site.close()
    }

    @Test("nothing waits for the network but what needs it, and no start asks for what is fresh")
    func answersFromFiles() async throws {
        let (site, apps, app) = try await openFeedReader()
        defer { apps.remove() }
        site.serve("/feed", Self.rss(items: ["One"]))
        let platform = apps.platform()
        _ = try await platform.said(app, "add", [site.url + "/feed"])
        site.hold("/feed")
        async let refreshed = platform.said(app, "refresh")
        while !site.isAsked("/feed") { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await platform.said(app, "list").count == 1)
        #expect(try await platform.said(app, "news").last == "1 unread")
        #expect(try await platform.said(app, "read", ["all"]) == ["1 item marked as read"])
        site.release("/feed")
        #expect(try await refreshed == ["Tea news: 0 new"])
        await platform.close()

        let asked = site.requests.count
        let again = apps.platform()
        #expect(try await again.said(app, "news") == ["0 unread"])
        #expect(try await again.said(app, "list").count == 1)
        #expect(site.requests.count == asked)
        await again.close()

        // A day later.
        let file = try #require(
            FileManager.default.enumerator(at: apps.folder, includingPropertiesForKeys: nil)?
                .compactMap { $0 as? URL }.first { $0.lastPathComponent == "feeds.json" })
        let feeds = try String(contentsOf: file, encoding: .utf8)
        try Data(feeds.replacing(#/"checked":[0-9]+/#, with: "\"checked\":0").utf8).write(to: file)
        let later = apps.platform()
        _ = try await later.said(app, "list")
        while site.requests.count == asked { try await Task.sleep(for: .milliseconds(5)) }
        await later.close()
        await site.close()
    }

    private static let feed = "<rss><channel><title>Café “ž€”</title></channel></rss>"
    private static let declaration = "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>"

    @Test(
        "encodings: of a byte order mark, of the header, of the declaration",
        arguments: [
            (feed, String.Encoding.utf16LittleEndian, ""), ("\u{feff}" + feed, .utf16LittleEndian, ""),
            (feed, .utf16BigEndian, ""), ("\u{feff}" + feed, .utf16BigEndian, "; charset=utf-16"),
            (feed, .windowsCP1252, "; charset=windows-1252"), (feed, .windowsCP1252, ";charset=\"ISO-8859-1\""),
            (declaration + feed, .windowsCP1252, ""), (declaration + feed, .utf8, "; charset=utf-8"),
            ("\u{feff}" + feed, .utf8, ""), (feed, .utf8, "; charset=koi8-r"),
        ])
    func encodings(text: String, encoding: String.Encoding, charset: String) async throws {
        let (site, apps, app) = try await openFeedReader()
        defer { apps.remove() }
        let platform = apps.platform()
        let bytes = try [UInt8](#require(text.data(using: encoding)))
        site.serve("/feed", bytes: bytes, headers: ["content-type": "text/xml" + charset])
        let expected =
            charset.contains("koi8")
            ? "the feed is written in koi8-r, which this reader cannot read" : "following Café “ž€”, 0 items"
        #expect(try await platform.said(app, "add", [site.url + "/feed"]) == [expected])
        await platform.close()
        await site.close()
    }

    @Test("titles with elements, relative links, and answers that nobody asked for")
    func oddAnswers() async throws {
        let (site, apps, app) = try await openFeedReader()
        defer { apps.remove() }
        let platform = apps.platform()
        site.serve(
            "/blog/atom",
            """
            <feed><title type="xhtml"><div>A <i>b</i>log</div></title><entry><id>1</id>
            <title type="xhtml"><div>X <b>html</b></div></title><link href="../posts/1?a=1&amp;b=2"/></entry></feed>
            """)
        site.serve("/packed", "x", headers: ["content-encoding": "gzip"])
        site.serve("/unchanged", "", status: 304)
        #expect(try await platform.said(app, "add", [site.url + "/blog/atom"]) == ["following A blog, 1 item"])
        let news = try await platform.said(app, "news")
        #expect(news.first?.hasSuffix("A blog: X html") == true)
        #expect(news.dropFirst().first?.hasSuffix(" \(site.url)/posts/1?a=1&b=2") == true)
        #expect(
            try await platform.said(app, "add", [site.url + "/packed"])
                == ["the server answered in gzip, which nobody asked for"])
        #expect(
            try await platform.said(app, "add", [site.url + "/unchanged"]) == [
                "the server answered with status 304"
            ])
        #expect(
            try await platform.said(app, "add", ["http://localhost:1/feed"]) == [
                "this app was not granted to reach http://localhost:1/feed"
            ])
        #expect(
            try await platform.said(app, "add", ["feed"]) == [
                "feed is not an address; one looks like https://example.org/feed.xml"
            ])
        await platform.close()
        await site.close()
    }

    private static let host = Mutex("127.0.0.1")

    private static func rss(items: [String]) -> String {
        let items = items.map { "<item><title>\($0)</title><link>http://tea.example/\($0.count)</link></item>" }
            .joined()
        return "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Tea news</title>\(items)</channel></rss>"
    }

    private static func rss(titles: [String]) -> String {
        "<rss><channel><title>Tea news</title>\(titles.map { "<item><title>\($0)</title></item>" }.joined())</channel></rss>"
    }

    private static let atom = """
        <feed xmlns="http://www.w3.org/2005/Atom"><title>Atoms</title>
        <entry><id>a</id><title type="html"><![CDATA[<b>Bold</b>]]></title><link rel="alternate" href="http://atoms.example/a"/>
        <updated>2026-01-02T03:04:05Z</updated></entry></feed>
        """
}
