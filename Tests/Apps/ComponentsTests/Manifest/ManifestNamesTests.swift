import Components
import Testing

@Suite struct ManifestNamesTests {
    @Test(arguments: [
        "", ".", "org", "a..b", ".a.b", "a.b.", "-a.b", "a-.b", "a b.c", "a/b.c", "127.0.0.1", "ä.org", "a_b.org",
        "a.b\0.org",
        String(repeating: "a", count: 64) + ".org", String(repeating: "a.", count: 127) + "org",
    ])
    func noDomain(text: String) { #expect(AppDomain(text) == nil) }

    @Test func domainsKnowNoCase() throws {
        let domain = try #require(AppDomain("Chat.App.PrivacySafe.IO"))
        #expect(domain.name == "chat.app.privacysafe.io" && domain.reversed == "io.privacysafe.app.chat")
        #expect(AppDomain(reversed: domain.reversed) == domain)
        let parent = try #require(AppDomain("app.privacysafe.io"))
        #expect(domain.isWithin(parent) && domain.isWithin(domain) && !parent.isWithin(domain))
        #expect(try !#require(AppDomain("evilapp.privacysafe.io")).isWithin(parent))
    }

    @Test(arguments: [
        "/", "", "a", "/a/", "//a", "/a//b", "/.", "/a/..", "/../a", "/a\\b", "/a\0", "/a\nb",
        "/" + String(repeating: "a", count: 256),
        String(repeating: "/a", count: 17), String(repeating: "/aaaaaaaaaaaaaaaa", count: 100),
    ])
    func noPath(text: String) { #expect(PackPath(text) == nil) }

    @Test func pathsHaveNames() {
        #expect(PackPath("/a/b c/…/ü.mjs")?.names == ["a", "b c", "…", "ü.mjs"])
    }

    @Test(arguments: [
        "", "v1", "1.", ".1", "1.2.3.4.5", "1.0-", "1.0+", "1.0-a..b", "1/2", "1.0-a~1", "4294967296", "1.-1", "1.0 ",
    ])
    func noVersion(text: String) { #expect(AppVersion(text) == nil) }

    @Test func versionsAreOrdered() throws {
        let order = [
            "0.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
            "1.0.0", "1.0.1",
            "1.2", "1.10", "2", "2.0.0.1",
        ]
        let versions = try order.map { try #require(AppVersion($0)) }
        #expect(versions.shuffled().sorted() == versions)
        let (short, long) = (try #require(AppVersion("1")), try #require(AppVersion("1.0.0+5")))
        #expect(short.precedence(to: long) == 0 && short != long)
    }

    @Test(arguments: [
        ("Feeds", "feeds"), ("Feeds", "F e e d s"), ("Feeds", "Fe\u{200B}eds"), ("Feeds", "Féèds"),
        ("Feeds", "Fe\u{301}eds"),
        ("Feeds", "F\u{0435}eds"), ("Feeds", "Ｆｅｅｄｓ"), ("Feeds", "𝐅𝐞𝐞𝐝𝐬"), ("Feeds", "ⒻⒺⒺⒹⓈ"), ("Feeds!", "Feeds"),
        ("Alcove", "A1cove"), ("Alcove", "AIcove"), ("Modern", "Modem"), ("Wallet", "VVallet"),
        ("Passport", "РАЅЅРОRТ"),
        ("日本", "日本"), ("☕", "☕"),
    ])
    func namesLookAlike(first: String, second: String) {
        #expect(DisplayName(first) == DisplayName(second))
    }

    @Test(arguments: [
        ("Feeds", "Feed"), ("Feeds", "Weeds"), ("", "Feeds"), ("☕", "🍵"), ("日本", "日木"), ("Notes", "Votes"),
        ("Feeds", "Feeds 2"),
    ])
    func namesDiffer(first: String, second: String) {
        #expect(DisplayName(first) != DisplayName(second))
    }
}
