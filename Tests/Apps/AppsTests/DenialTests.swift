import AppPacks
import Apps
import Components
import Foundation
import Testing

@Suite("What was denied to an app")
struct DenialTests {
    @Test("an app that talks without end washes nothing away of what was denied to it")
    func floods() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: [
                "/main.mjs": """
                {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "connectivity": "check",
                  "storage": {"appFS": "default"}}}
                """
            ],
            scripts: [
                "main.mjs": """
                const text = 'x'.repeat(16_000);
                for (let line = 0; line < 2_500; line++) await w3n.log('info', text);
                try { await w3n.storage.getAppLocalFS(); } catch (error) {}
                for (let time = 0; time < 1_000; time++) try { await w3n.connectivity.isOnline(); } catch (error) {}
                for (let line = 0; line < 2_500; line++) await w3n.log('info', text);
                w3n.closeSelf();
                """
            ], granting: [.log])
        let platform = apps.platform()
        _ = try await platform.said(app, "go")
        let denials = try String(contentsOfFile: apps.library.denialsFile(of: app), encoding: .utf8)
        #expect(denials.contains("denied: storage.app.local"))
        let lines = denials.split(separator: "\n")
        // The rest of the thousand is counted, and told with the next one.
        #expect(lines.count >= 2 && lines.count < 100)
        #expect(lines.allSatisfy { $0.contains("denied: ") })
        #expect(try !String(contentsOfFile: apps.library.logFile(of: app), encoding: .utf8).contains("denied"))
        await platform.close()
        try apps.library.remove(app, keepingData: false)
        #expect(!FileManager.default.fileExists(atPath: apps.library.denialsFile(of: app)))
    }

    private static let network = """
        {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "connectToExternal": {"fetch": [
          {"schema": "https", "domain": "named.example"}, {"schema": "http", "anyDomain": true}]}}}
        """

    @Test(
        "a site that is denied says what it lacks, and how to give it",
        arguments: [
            ("https://other.example/", true, "the manifest does not name this site"),
            ("https://other.example/", false, "the manifest does not name this site"),
            ("http://127.0.0.1/", true, "name this host in connectToExternal"),
            (
                "https://named.example/", false,
                "to grant it: alcove app permissions one.example --grant network"
            ),
        ])
    func sites(url: String, isGranted: Bool, reason: String) async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": Self.network],
            scripts: [
                "main.mjs": """
                for (let time = 0; time < 3; time++) {
                  try { await w3n.http.request({ url: '\(url)' }); } catch (error) { await w3n.log('info', error.message); }
                }
                w3n.closeSelf();
                """
            ], granting: isGranted ? [.log, .network] : [.log])
        let platform = apps.platform()
        let instance = try await platform.run(app, command: StartCommand("go"))
        let lines = try await platform.transcript(of: instance.id).lines
        await platform.close()
        let message = "denied: network (\(url))"
        // Told once to who runs it, and each time to the app.
        #expect(lines.count { $0.level == .warning } == 1 && lines.count { $0.text == message } == 3)
        #expect(lines.first?.text.hasPrefix(message + "; ") == true)
        #expect(lines.first?.text.contains(reason) == true)
        let log = try String(contentsOfFile: apps.library.denialsFile(of: app), encoding: .utf8)
        #expect(log.contains(reason))
    }

    @Test("what an app says without a grant for its log leads nowhere, and fails nowhere", arguments: [true, false])
    func silentLog(isAskedFor: Bool) async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let request = isAskedFor ? #"{"log": "all"}"# : "{}"
        let app = try apps.install(
            components: ["/main.mjs": #"{"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": \#(request)}"#],
            scripts: ["main.mjs": "await w3n.log('info', 'secret'); console.log('end'); w3n.closeSelf();"], granting: []
        )
        let platform = apps.platform()
        let instance = try await platform.run(app, command: StartCommand("go"))
        let (lines, end) = try await platform.transcript(of: instance.id)
        #expect(end.isOrderly)
        #expect(lines.map(\.text).filter { !$0.hasPrefix("denied: log; ") } == ["end"])
        #expect(lines.contains { $0.text.contains("--grant log") } == isAskedFor)
        // What is granted is heard.
        if isAskedFor {
            try await platform.setGrant(.log, to: true, of: app)
            #expect(try await platform.said(app, "go") == ["secret", "end"])
        }
        await platform.close()
    }
}
