import AppPacks
import Apps
import Components
import Foundation
import Networking
import Synchronization
import Testing

/// The apps of `Apps/`, as a person uses them.
@Suite("The sample apps")
struct SampleAppTests {
    static let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Apps").standardized

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
        #expect(try await platform.said(app, "clear", ["shopping"]) == ["shopping (0 of 1)", "  1. [ ] tea"])
        await platform.close()

        // Another process, later.
        let again = apps.platform()
        #expect(try await again.said(app, "show") == ["shopping (0 of 1)", "  1. [ ] tea"])
        await again.close()
    }

    @Test("a feed reader: follow, find what is new once, tell what is wrong")
    func feedReader() async throws {
        let site = try await WebSite.open()
        let apps = try TestApps()
        defer { apps.remove() }
        Self.host.withLock { $0 = String(site.url.dropFirst("http://".count)) }
        let app = try install("feed-reader", into: apps)
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

    private static let host = Mutex("127.0.0.1")

    private static func rss(items: [String]) -> String {
        let items = items.map { "<item><title>\($0)</title><link>http://tea.example/\($0.count)</link></item>" }
            .joined()
        return "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Tea news</title>\(items)</channel></rss>"
    }

    private static let atom = """
        <feed xmlns="http://www.w3.org/2005/Atom"><title>Atoms</title>
        <entry><id>a</id><title type="html"><![CDATA[<b>Bold</b>]]></title><link rel="alternate" href="http://atoms.example/a"/>
        <updated>2026-01-02T03:04:05Z</updated></entry></feed>
        """
}
