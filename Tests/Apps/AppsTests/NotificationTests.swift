import Apps
import Components
import Foundation
import Testing

/// `w3n.shell.userNotifications`: short texts for the person.
@Suite("Notifications of apps")
struct NotificationTests {
    private func run(
        _ script: String, granting: Set<Capability>? = nil, burst: Int = 100
    ) async throws -> (said: [String], shown: [String]) {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: [
                "/main.mjs": """
                {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "shell": {"userNotifications": true}}}
                """
            ],
            scripts: [
                "main.mjs": """
                const say = (text) => w3n.log('info', `${text}`);
                const notifications = w3n.shell.userNotifications;
                const attempt = async (options) => {
                  try { await say(await notifications.addNotification(options)); }
                  catch ({ type, ...flags }) { await say([type, ...Object.keys(flags).filter((name) => flags[name] === true)].join(' ')); }
                };
                \(script)
                w3n.closeSelf();
                """
            ], granting: granting)
        let platform = apps.platform { $0.notificationRate = Rate(burst: burst, pause: .seconds(3600)) }
        let reports = platform.reports()
        let said = try await platform.said(app, "go")
        await platform.close()
        var shown: [String] = []
        for await case .notified(let domain, let name, let notification) in reports {
            #expect(domain == app && name == "One")
            shown.append(notification.text)
        }
        return (said, shown)
    }

    @Test("a notification reaches whoever shows it, in one line")
    func aNotificationIsShown() async throws {
        let (said, shown) = try await run(
            """
            await attempt({ title: 'Tea', body: 'It is\\nready', silent: true, cmd: { cmd: 'go', params: [1] } });
            await attempt({ body: 'again' });
            await attempt({});
            """)
        #expect(said == ["1", "2", "3"])
        #expect(shown == ["Tea: It is ready", "again", ""])
    }

    @Test("who watches hears what was shown, and what is gone")
    func watching() async throws {
        let (said, _) = try await run(
            """
            const events = [];
            const { promise, resolve } = Promise.withResolvers();
            notifications.watch({ next: ({ type, notificationId }) => {
              events.push(`${type} ${notificationId}`);
              if (events.length === 3) resolve();
            } });
            const first = await notifications.addNotification({ title: 'one' });
            await notifications.addNotification({ title: 'two' });
            await notifications.removeNotification(first);
            await notifications.removeNotification(first);
            await notifications.removeNotification(77);
            await promise;
            await say(events.join());
            """)
        #expect(said == ["shown 1,shown 2,closed 1"])
    }

    @Test("the oldest gives way when thirty-two stand")
    func thirtyTwoStand() async throws {
        let (said, _) = try await run(
            """
            const { promise, resolve } = Promise.withResolvers();
            notifications.watch({ next: ({ type, notificationId }) => { if (type === 'closed') resolve(notificationId); } });
            for (let at = 1; at <= 33; at++) await notifications.addNotification({ title: `${at}` });
            await say(await promise);
            """)
        #expect(said == ["1"])
    }

    @Test("what is too long, too much or no notification is refused")
    func limits() async throws {
        let (said, shown) = try await run(
            """
            await attempt({ title: 'x'.repeat(257) });
            await attempt({ body: 'x'.repeat(2049) });
            await attempt({ title: 7 });
            await attempt({ cmd: 'go' });
            await attempt({ title: 'x'.repeat(256), body: 'y'.repeat(2048) });
            await attempt({ title: 'second' });
            await attempt({ title: 'third' });
            """, burst: 2)
        #expect(
            said == [
                "user-notifications runtimeException tooLong", "user-notifications runtimeException tooLong",
                "ipc runtimeException invalidBody", "ipc runtimeException invalidBody", "1", "2",
                "user-notifications runtimeException tooMany",
            ])
        #expect(shown.map(\.count) == [2306, 6])
    }

    @Test("what was not granted shows nothing")
    func denied() async throws {
        let (said, shown) = try await run("await attempt({ title: 'Tea' });", granting: [.log])
        #expect(said == ["capability runtimeException notGranted"])
        #expect(shown.isEmpty)
    }
}
