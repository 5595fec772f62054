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
}
