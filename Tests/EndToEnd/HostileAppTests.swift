import Foundation
import Platform
import Testing

/// What a confined app may try against the process that runs it, and that of all others.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostileAppTests {
    /// An app with files of its own that runs `script`.
    private func install(_ script: String, on fixture: AppFixture, more: String = "") async throws {
        try fixture.write(
            """
            {"appDomain": "evil.example", "version": "1.0.0", "name": "Evil", "components": {"/main.mjs": {"runtime": "deno",
             "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}\(more)}}}}
            """, to: "evil/manifest.json")
        try fixture.write(script, to: "evil/main.mjs")
        try await fixture.run("install evil --yes")
    }

    /// The first terminal runs the apps of both, so what ends it ends the waiter.
    @Test func `no expression of a search ends the host`() async throws {
        let fixture = try await AppFixture().withWaiter()
        let waiter = try await fixture.startWaiter("one")
        try await install(
            #"""
            const files = await w3n.storage.getAppLocalFS();
            for (const name of 'abcde') await files.writeTxtFile(name, '');
            const long = (part) => part.repeat(200_000);
            const expressions = ['a' + long('{1}'), long('|'), long('('), 'a' + long('?'), 'a' + long('*'), '(' + long('|') + ')',
              '[' + 'b'.repeat(20_000_000) + ']', long('(a|'), long('[a'), long('\\')];
            for (const p of expressions) for (const type of ['regexp', 'pattern']) {
              try {
                const found = await files.select('', { name: { p, type }, action: 'include' });
                await found.completion;
                await w3n.log('info', 'found');
              } catch (error) { await w3n.log('info', `refused: ${error.badFnCallArguments}`); }
            }
            const found = await files.select('', { name: { p: '^[b-d]$', type: 'regexp' }, action: 'include' });
            await found.completion;
            await w3n.log('info', `found ${(await found.items.getAll()).length}`);
            w3n.closeSelf();
            """#, on: fixture)
        let lines = try await fixture.run("run evil go").split(separator: "\n")
        #expect(lines == Array(repeating: "refused: true", count: 20) + ["found 3"])
        try fixture.endWaiter("one")
        try await waiter.expect("one is done")
        #expect(try await waiter.exitCode() == 0)
    }

    @Test func `a search ends with the app that asked for it`() async throws {
        let fixture = try await AppFixture().withWaiter()
        let waiter = try await fixture.startWaiter("one")
        try await install(
            #"""
            const files = await w3n.storage.getAppLocalFS();
            const name = { p: '^(a|b|c|d)*[0-9a-f]{250}(a*b*c*d*){15}$', type: 'regexp' };
            await w3n.log('info', 'searches');
            for (;;) {
              try { await Promise.all([1, 2, 3, 4].map(async () => (await files.select('', { name, action: 'include' })).completion)); } catch {}
            }
            """#, on: fixture)
        for number in 0..<2000 {
            try fixture.write("", to: "profile/Apps/data/example.evil/\(number)" + String(repeating: "a", count: 240))
        }
        let evil = try fixture.start(["run", "evil", "go"])
        try await evil.expect("searches")
        try await fixture.run("stop evil")
        #expect(try await evil.exitCode() == 1)
        // The first terminal has nothing more to do, and is soon found doing nothing.
        let deadline = ContinuousClock.now + AlcoveProcess.patience
        while case let before = processorTime(ofProcessesNaming: fixture.folder), ContinuousClock.now < deadline {
            try await Task.sleep(for: .seconds(1))
            if processorTime(ofProcessesNaming: fixture.folder) - before <= 20 { break }
        }
        #expect(ContinuousClock.now < deadline)
        try fixture.endWaiter("one")
        try await waiter.expect("one is done")
        #expect(try await waiter.exitCode() == 0)
    }

    /// Ticks of a hundredth of a second that they have computed.
    private func processorTime(ofProcessesNaming text: String) -> Int {
        processes(naming: text).reduce(0) { sum, process in
            let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let fields = stat.drop { $0 != ")" }.split(separator: " ").map { Int($0) ?? 0 }
            return fields.count > 13 ? sum + fields[12] + fields[13] : sum
        }
    }

    private func processes(naming text: String) -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int32.init).filter {
            process in
            (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8))?.contains(text) == true
        }
    }

    /// Each of 64 answers stands still after 24 MiB, half of what it may have.
    @Test func `answers that never end do not fill the host`() async throws {
        let fixture = try AppFixture()
        try fixture.write(
            """
            import http.server, os, sys, threading, time
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200)
                    self.send_header('content-length', str(48 << 20))
                    self.end_headers()
                    for _ in range(24): self.wfile.write(bytes(1 << 20))
                    time.sleep(600)
                def log_message(self, *words): pass
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
            server.daemon_threads = True
            with open('port.new', 'w') as file: file.write(str(server.server_port))
            os.rename('port.new', 'port')
            # It ends with whoever started it.
            threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0))).start()
            server.serve_forever()
            """, to: "server.py")
        let server = Process()
        server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        server.arguments = ["python3", "server.py"]
        server.currentDirectoryURL = URL(fileURLWithPath: fixture.folder)
        let life = Pipe()
        server.standardInput = life
        server.standardError = FileHandle.nullDevice
        try server.run()
        defer { try? life.fileHandleForWriting.close() }
        while !FileManager.default.fileExists(atPath: fixture.folder + "/port") {
            try await Task.sleep(for: .milliseconds(20))
        }
        let port = try String(contentsOfFile: fixture.folder + "/port", encoding: .utf8)
        try await install(
            #"""
            let refused = 0, open = 64;
            const ask = async () => {
              try { await w3n.http.request({ url: 'http://127.0.0.1:PORT/', timeout: 600_000 }); }
              catch (error) { if (error.tooMany) refused++; }
              open--;
            };
            for (let n = 0; n < 64; n++) ask();
            while (open * 24 > 192) await new Promise((wake) => setTimeout(wake, 20));
            await w3n.log('info', `refused all but a few: ${refused === 64 - open}`);
            await new Promise(() => {});
            """#.replacing("PORT", with: port), on: fixture,
            more: #", "connectToExternal": {"fetch": [{"schema": "http", "domain": "127.0.0.1:\#(port)"}]}"#)
        let terminal = try fixture.start(["run", "evil", "go"])
        try await terminal.expect("refused all but a few: true")
        #expect(peak(ofProcessesNaming: fixture.folder) < 600 << 20)
        terminal.signal(SIGINT)
        _ = try await terminal.exitCode()
    }

    /// Bytes that the largest of them ever had in memory.
    private func peak(ofProcessesNaming text: String) -> Int {
        var peak = 0
        for process in processes(naming: text) {
            guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
            else { continue }
            peak = max(peak, (Int(line.filter(\.isNumber)) ?? 0) << 10)
        }
        return peak
    }
}
