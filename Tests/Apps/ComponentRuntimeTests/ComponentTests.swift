import ComponentRuntime
import ComponentSupport
import Components
import Testing

@Suite struct ComponentTests {
    let log = Log()
    let sandbox = InProcessSandbox { _ in [testPreload] }

    @Test func runsItsCodeUpToTheFirstAwait() async throws {
        let component = try await sandbox.start(
            "console.log('first'); await call('delay', 1); console.log('second')", log: log)
        #expect(log.events.lines.first == "first")
        #expect(await log.lines(2) == ["first", "second"])
        await component.stop()
        #expect(log.events.last == .ended(.stopped))
    }

    @Test func answersWithinTheTurn() async throws {
        let code = """
            listen('echo', (bytes) => console.log(`${bytes}`));
            send('echo', new Uint8Array([1, 2, 3]).subarray(1));
            console.log('sent');
            """
        let log = log
        let component = try await sandbox.start(.test(code)) { component, event in
            log.add(event)
            if case .message(let message) = event { component.send(message) }
        }
        #expect(await log.lines(2) == ["sent", "2,3"])
        #expect(log.events.messages == [PortMessage(port: "echo", bytes: [2, 3])])
        await component.stop()
    }

    @Test func endsInACommentAndShowsItsLines() async throws {
        let component = try await sandbox.start(
            "\nconst f = () => { throw new Error('no') };\nsetTimeout(f)\n// end", log: log)
        let events = await log.wait { !$0.uncaught.isEmpty }
        #expect(events.uncaught[0].contains("/index.js:2:"))
        await component.stop()
    }

    @Test(arguments: ["throw new Error('at once')", "let = 3 +"])
    func refusesCode(_ code: String) async throws {
        let log = log
        await #expect(throws: ComponentError.self) {
            try await sandbox.start(.test(code)) { _, event in log.add(event) }
        }
        guard case .crashed = await log.end() else {
            Issue.record("no crash")
            return
        }
    }

    @Test func hidesItsPorts() async throws {
        let component = try await sandbox.start("console.log(typeof _ports_, typeof w3n)", log: log)
        #expect(await log.lines() == ["undefined undefined"])
        await component.stop()
    }

    @Test func randomBytesComeFromItsOwnSide() async throws {
        let component = try await sandbox.start("console.log((await call('crypto_random', 40)).length)", log: log)
        #expect(await log.lines() == ["40"])
        #expect(log.events.messages.isEmpty)
        await component.stop()
    }
}
