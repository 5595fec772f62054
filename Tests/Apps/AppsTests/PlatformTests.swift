import AppPacks
import Apps
import Components
import Foundation
import Testing

@Suite("The platform of apps")
struct PlatformTests {
    static let command = """
        {"runtime": "deno", "multiInstances": true, "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}, "appRPC": ["lists"]},
         "startCmds": {"go": {}, "other": {}}}
        """

    private func run(_ script: String, granting: Set<Capability>? = nil) async throws -> [String] {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": Self.command], scripts: ["main.mjs": script], granting: granting)
        let platform = apps.platform()
        let lines = try await platform.said(app, "go", ["a", "b"])
        await platform.close()
        return lines
    }

    @Test("a command runs, says something, and ends itself")
    func aCommandRuns() async throws {
        let lines = try await run(
            """
            const { cmd, params } = await w3n.shell.getStartedCmd();
            await w3n.log('info', `${cmd} ${params.join('+')} ${await w3n.myVersion()} ${await w3n.ui.uiFormFactor()}`);
            w3n.closeSelf();
            """)
        #expect(lines == ["go a+b 1.0.0 desktop"])
    }

    @Test("an app keeps files, and finds only its own")
    func filesAreKept() async throws {
        let lines = try await run(
            """
            const fs = await w3n.storage.getAppLocalFS();
            await fs.writeTxtFile('notes/tea.txt', 'green');
            await w3n.log('info', await fs.readTxtFile('notes/tea.txt'));
            await w3n.log('info', (await fs.listFolder('')).map(({ name }) => name).join());
            for (const path of ['../../packs', '/etc/passwd']) {
              try { await fs.listFolder(path); await w3n.log('error', path); } catch (error) { await w3n.log('info', error.type); }
            }
            await w3n.log('info', (await fs.listFolder('notes/../../..')).map(({ name }) => name).join());
            try { await w3n.storage.getAppLocalFS('example.two'); } catch (error) { await w3n.log('info', `${error.type} ${error.notAllowed}`); }
            w3n.closeSelf();
            """)
        #expect(lines == ["green", "notes", "file", "file", "notes", "storage true"])
    }

    @Test("what was not granted throws, and the log says so")
    func deniedCapabilities() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let script = """
            try { await w3n.storage.getAppLocalFS(); } catch (error) {
              await w3n.log('info', `${error.runtimeException} ${error.type} ${error.notGranted} ${error.capability}`);
            }
            w3n.closeSelf();
            """
        let app = try apps.install(
            components: ["/main.mjs": Self.command], scripts: ["main.mjs": script], granting: [.log])
        let platform = apps.platform()
        #expect(try await platform.said(app, "go") == ["true capability true storage.app.local"])
        let log = try String(contentsOfFile: apps.library.denialsFile(of: app), encoding: .utf8)
        #expect(log.contains("denied: storage.app.local"))
        await platform.close()
    }

    @Test("a capability that is taken back is gone from what runs, with all that came out of it")
    func revokingWhileRunning() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let script = """
            const fs = await w3n.storage.getAppLocalFS();
            await fs.writeTxtFile('a', '1');
            await w3n.log('info', 'ready');
            for (;;) {
              try { await fs.readTxtFile('a'); await new Promise((done) => setTimeout(done, 5)); } catch (error) {
                await w3n.log('info', `files: ${error.storageClosed === true}`);
                break;
              }
            }
            try { await w3n.storage.getAppLocalFS(); } catch (error) { await w3n.log('info', `again: ${error.capability}`); }
            w3n.closeSelf();
            """
        let app = try apps.install(components: ["/main.mjs": Self.command], scripts: ["main.mjs": script])
        let platform = apps.platform()
        let instance = try await platform.run(app, command: StartCommand("go"))
        var next = 0
        while next == 0 {
            guard case .printed(_, let following, _) = try await platform.ask(.follow(instance: instance.id, from: 0))
            else { break }
            next = following
        }
        try await platform.setGrant(.ownFiles, to: false, of: app)
        let (lines, end) = try await platform.transcript(of: instance.id)
        let grant = "to grant it: alcove app permissions \(app) --grant storage.app.local"
        #expect(
            lines.map(\.text) == [
                "ready", "files: true", "denied: storage.app.local (\(app)); \(grant)",
                "again: storage.app.local",
            ])
        #expect(end.isOrderly)
        await platform.close()
    }

    @Test("components talk over rpc, and pass files by reference")
    func rpcBetweenComponents() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let service = """
            const decode = (data) => new TextDecoder().decode(data.bytes);
            w3n.rpc.exposeService('lists', { next: (connection) => connection.watch({ next: async ({ msgType, callNum, method, data }) => {
              if (msgType !== 'start') return;
              if (method === 'echo') return connection.send({ callNum, callStatus: 'end', data });
              if (method === 'count') {
                for (let at = 1; at <= 3; at++) await connection.send({ callNum, callStatus: 'interim', data: { bytes: new Uint8Array([at]) } });
                return connection.send({ callNum, callStatus: 'end' });
              }
              if (method === 'read') {
                const text = await data.passedByReference[0].readTxt();
                return connection.send({ callNum, callStatus: 'end', data: { bytes: new TextEncoder().encode(text) } });
              }
              connection.send({ callNum, callStatus: 'error', err: { runtimeException: true, type: 'lists', why: 'no such method' } });
            } }) });
            """
        let caller = """
            const lists = await w3n.rpc.thisApp('lists');
            const bytes = new TextEncoder().encode('hello');
            await w3n.log('info', new TextDecoder().decode((await lists.makeRequestReplyCall('echo', { bytes })).bytes));
            const values = [];
            await new Promise((complete, error) => lists.startObservableCall('count', { bytes }, { next: (value) => values.push(value.bytes[0]), complete, error }));
            await w3n.log('info', values.join());
            const fs = await w3n.storage.getAppLocalFS();
            await fs.writeTxtFile('lent.txt', 'lent');
            const file = await fs.readonlyFile('lent.txt');
            await w3n.log('info', new TextDecoder().decode((await lists.makeRequestReplyCall('read', { bytes, passedByReference: [file] })).bytes));
            try { await lists.makeRequestReplyCall('nothing', { bytes }); } catch (error) { await w3n.log('info', error.why); }
            w3n.closeSelf();
            """
        let app = try apps.install(
            components: [
                "/main.mjs": Self.command,
                "/lists.mjs": #"{"runtime": "deno", "services": {"lists": {"thisAppComponents": ["/main.mjs"]}}}"#,
            ], scripts: ["main.mjs": caller, "lists.mjs": service])
        let platform = apps.platform()
        #expect(try await platform.said(app, "go") == ["hello", "1,2,3", "lent", "no such method"])
        await platform.close()
    }

    @Test("a service is only for those it names")
    func rpcIsForNamedCallers() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let script = """
            try { await w3n.rpc.thisApp('lists'); } catch (error) { await w3n.log('info', `${error.type} ${error.callerNotAllowed}`); }
            w3n.closeSelf();
            """
        let app = try apps.install(
            components: [
                "/main.mjs": Self.command, "/friend.mjs": #"{"runtime": "deno"}"#,
                "/lists.mjs": #"{"runtime": "deno", "services": {"lists": {"thisAppComponents": ["/friend.mjs"]}}}"#,
            ], scripts: ["main.mjs": script, "lists.mjs": "", "friend.mjs": ""])
        let platform = apps.platform()
        #expect(try await platform.said(app, "go") == ["rpc true"])
        await platform.close()
    }

    @Test("a service that fails before it is there is told at once, and tried anew at the next call")
    func aServiceThatFails() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let caller = """
            for (let call = 0; call < 2; call += 1) {
              try { await w3n.rpc.thisApp('lists'); }
              catch (error) { await w3n.log('info', `${error.type} ${error.serviceNotFound ?? error.connectionNotAccepted}`); }
            }
            w3n.closeSelf();
            """
        let app = try apps.install(
            components: [
                "/main.mjs": Self.command,
                "/lists.mjs": #"{"runtime": "deno", "services": {"lists": {"thisAppComponents": ["/main.mjs"]}}}"#,
            ], scripts: ["main.mjs": caller, "lists.mjs": "throw new Error('no lists today');"])
        // A time that no test waits for: what ends the waiting is the error.
        let platform = apps.platform { $0.startTime = .seconds(600) }
        let said = try await platform.said(app, "go")
        let hint = "the service lists did not start; to see why: alcove app logs \(app)"
        #expect(said == [hint, "rpc true", "rpc true"])
        await platform.close()
    }

    @Test("one app cannot take all the connections that a service has for its callers")
    func manyConnections() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let caller = """
            const all = [];
            try { for (;;) all.push(await w3n.rpc.thisApp('lists')); }
            catch (error) { await w3n.log('info', `${all.length} ${error.connectionNotAccepted}`); }
            await all.pop().close();
            // A closing is noticed soon.
            for (let more; !more;) more = await w3n.rpc.thisApp('lists').catch(() => undefined);
            await w3n.log('info', 'one more');
            w3n.closeSelf();
            """
        let app = try apps.install(
            components: [
                "/main.mjs": Self.command,
                "/lists.mjs": #"{"runtime": "deno", "services": {"lists": {"thisAppComponents": ["/main.mjs"]}}}"#,
            ],
            scripts: [
                "main.mjs": caller, "lists.mjs": "w3n.rpc.exposeService('lists', { next: (one) => one.watch({}) });",
            ])
        let platform = apps.platform()
        let said = try await platform.said(app, "go")
        #expect(said == ["200 true", "one more"])
        await platform.close()
    }

    @Test("a command that throws ends, and says what was thrown")
    func uncaughtInCommands() async throws {
        let lines = try await run("await w3n.rpc.thisApp('nothing');")
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("uncaught: "))
        #expect(lines[0].contains("denied: rpc.thisApp (nothing)"))
    }

    @Test(
        "a service that throws before it is exposed is given up at once, and starts anew when it is called again",
        .timeLimit(.minutes(2)))
    func uncaughtInServices() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let caller = """
            try { (await w3n.rpc.thisApp('lists')).close?.(); await w3n.log('info', 'connected'); }
            catch (error) { await w3n.log('info', `refused ${error.connectionNotAccepted}`); }
            w3n.closeSelf();
            """
        let app = try apps.install(
            components: [
                "/main.mjs": Self.command,
                "/lists.mjs":
                    #"{"runtime": "deno", "services": {"lists": {"thisAppComponents": ["/main.mjs"]}}, "capsRequested": {"storage": {"appFS": "default"}}}"#,
            ],
            scripts: [
                "main.mjs": caller,
                "lists.mjs": "await w3n.storage.getAppLocalFS(); w3n.rpc.exposeService('lists', {});",
            ])
        // Far longer than the test may take: it fails if somebody waits so long.
        let platform = apps.platform { $0.startTime = .seconds(3_600) }
        try await platform.setGrant(.ownFiles, to: false, of: app)
        let hint = "the service lists did not start; to see why: alcove app logs \(app)"
        #expect(try await platform.said(app, "go") == [hint, "refused true"])
        try await platform.setGrant(.ownFiles, to: true, of: app)
        #expect(try await platform.said(app, "go") == ["connected"])
        await platform.close()
    }

    @Test("commands that do not exist are answered with those that do")
    func unknownCommands() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(components: ["/main.mjs": Self.command], scripts: ["main.mjs": ""])
        let platform = apps.platform()
        let error = await #expect(throws: AppFailure.self) { try await platform.said(app, "fly") }
        #expect(error?.code == .unknownCommand)
        #expect(error?.explanation == "One has no command fly; it takes: go, other")
        await platform.close()
    }

    @Test("a command carries only so much")
    func longCommands() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: [
                "/main.mjs": #"{"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true}}"#
            ], scripts: ["main.mjs": "await w3n.log('info', 'went'); w3n.closeSelf();"])
        let platform = apps.platform()
        await #expect(throws: AppFailure.self) {
            try await platform.said(app, "go", [String(repeating: "x", count: 64 << 10)])
        }
        #expect(try await platform.said(app, "go", [String(repeating: "x", count: 60_000)]) == ["went"])
        await platform.close()
    }
}
