import Apps
import Components
import Foundation
import HostFunctions
import Testing

/// `w3n.shell.openURL`: links that apps ask to open.
@Suite("Links of apps")
struct LinkTests {
    /// Runs a script that opens links, and returns what it said and what it asked to open.
    private func run(
        _ script: String, openURL: String, granting: Set<Capability>? = nil, burst: Int = 100
    ) async throws -> (said: [String], asked: [String]) {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: [
                "/main.mjs": """
                {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "shell": {"openURL": [\(openURL)]}}}
                """
            ],
            scripts: [
                "main.mjs": """
                const open = async (url) => {
                  try { await w3n.shell.openURL(url); await w3n.log('info', 'ok'); }
                  catch ({ type, notGranted, notSupported, tooMany }) {
                    await w3n.log('info', `${type} ${notGranted ? 'notGranted' : notSupported ? 'notSupported' : tooMany ? 'tooMany' : '?'}`);
                  }
                };
                \(script)
                w3n.closeSelf();
                """
            ], granting: granting)
        let platform = apps.platform { $0.linkRate = Rate(burst: burst, pause: .seconds(3600)) }
        let reports = platform.reports()
        let said = try await platform.said(app, "go")
        await platform.close()
        var asked: [String] = []
        for await case .asksURL(let domain, let name, let url) in reports {
            #expect(domain == app && name == "One")
            asked.append(url.text)
        }
        return (said, asked)
    }

    private static let site = #"{"schema": "https", "domain": "example.org", "subdomains": true}"#
    private static let anySite = #"{"schema": "https", "anyDomain": true}, {"schema": "http", "anyDomain": true}"#

    @Test("a link that was granted is handed to whoever shows it")
    func aLinkIsHandedOn() async throws {
        let (said, asked) = try await run(
            "await open('https://www.example.org/a b?c#d');", openURL: Self.site)
        #expect(said == ["ok"])
        #expect(asked == ["https://www.example.org/a%20b?c#d"])
    }

    @Test(
        "a link to what was not named is denied",
        arguments: [
            "https://example.com/", "http://example.org/", "https://example.org:8443/",
            "https://example.org.evil.example/",
            "mailto:ann@example.org",
        ])
    func otherLinks(url: String) async throws {
        let (said, asked) = try await run("await open('\(url)');", openURL: Self.site)
        #expect(said == ["capability notGranted"])
        #expect(asked.isEmpty)
    }

    @Test(
        "any site is none of this computer or of the networks around it",
        arguments: [
            "http://localhost:631/", "http://127.0.0.1/", "http://[::1]/", "http://192.168.1.1/", "http://router/",
            "http://printer.local/", "http://2130706433/", "http://0x7f.1/", "http://127.1/", "https://a.localhost/",
        ])
    func nearbyLinks(url: String) async throws {
        let (said, asked) = try await run(
            "await open('\(url)'); await open('https://1.1.1.1/');", openURL: Self.anySite)
        #expect(said == ["capability notGranted", "ok"])
        #expect(asked == ["https://1.1.1.1/"])
    }

    @Test(
        "what is no link of the web is refused",
        arguments: [
            "file:///etc/passwd", "javascript:alert(1)", "", "https://ann@example.org/",
            "https://example.org/#\\u001b[2J",
            "mailto:a b@example.org", "--help", "x-scheme://example.org/",
        ])
    func whatIsNoLink(url: String) async throws {
        let (said, asked) = try await run("await open('\(url)');", openURL: Self.anySite + #", {"schema": "mailto"}"#)
        #expect(said == ["shell-open-url notSupported"])
        #expect(asked.isEmpty)
    }

    @Test("mail needs a grant of its own")
    func mail() async throws {
        let (said, asked) = try await run(
            "await open('mailto:ann@example.org?subject=tea'); await open('https://example.org/');",
            openURL: #"{"schema": "mailto"}"#)
        #expect(said == ["ok", "capability notGranted"])
        #expect(asked == ["mailto:ann@example.org?subject=tea"])
    }

    @Test("what was not granted opens nothing, and the person is not bothered more often than the limit")
    func denialsAndLimits() async throws {
        let script = "for (const n of [1, 2, 3]) await open(`https://example.org/${n}`);"
        let denied = try await run(script, openURL: Self.site, granting: [.log])
        #expect(denied.said == Array(repeating: "capability notGranted", count: 3))
        #expect(denied.asked.isEmpty)
        let limited = try await run(script, openURL: Self.site, burst: 2)
        #expect(limited.said == ["ok", "ok", "shell-open-url tooMany"])
        #expect(limited.asked == ["https://example.org/1", "https://example.org/2"])
    }

    @Test("starting anew gives no more links")
    func limitsOutliveComponents() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let script = """
            try { await w3n.shell.openURL('https://example.org/'); await w3n.log('info', 'ok'); }
            catch (error) { await w3n.log('info', `${error.tooMany}`); }
            w3n.closeSelf();
            """
        let app = try apps.install(
            components: [
                "/main.mjs": """
                {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "shell": {"openURL": [\(Self.site)]}}}
                """
            ], scripts: ["main.mjs": script])
        let platform = apps.platform { $0.linkRate = Rate(burst: 1, pause: .seconds(3600)) }
        #expect(try await platform.said(app, "go") == ["ok"])
        #expect(try await platform.said(app, "go") == ["true"])
        await platform.close()
    }
}
