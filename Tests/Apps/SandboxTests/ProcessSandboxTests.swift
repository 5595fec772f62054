import ComponentSupport
import Components
import Foundation
import ProgramRunner
import Sandbox
import Testing

/// One sandbox for all tests.
let sandbox = Result { try ProcessSandbox(program: Program.products.appending(path: "alcove-component").path) }

@Suite struct ProcessSandboxTests {
    let log = Log()

    @Test func runsAComponent() async throws {
        let component = try await sandbox.get().start("console.log(typeof w3n, 6 * 7)", log: log)
        #expect(await log.lines() == ["object 42"])
        #expect(component.memory >= 0)
        await component.stop()
        #expect(log.events.last == .ended(.stopped))
    }

    /// The engine looks for files when it first needs these, and finds none.
    @Test func knowsLanguagesAndTimeZones() async throws {
        let code = #"""
            const moment = new Date(Date.UTC(2026, 6, 1, 12));
            const place = { dateStyle: 'long', timeStyle: 'long', timeZone: 'Asia/Kolkata' };
            console.log(moment.toLocaleString('de', place), new Intl.NumberFormat('hi').format(1234567.8));
            console.log(['z', 'ä', 'a'].sort(new Intl.Collator('sv').compare).join(), '\u0065\u0301'.normalize().length);
            console.log('İ'.toLocaleLowerCase('tr'), /\p{Script=Greek}/u.test('λ'), moment.getTimezoneOffset());
            console.log(crypto.getRandomValues(new Uint8Array(600)).some(Boolean), Math.random() !== Math.random());
            """#
        let component = try await sandbox.get().start(code, log: log)
        let lines = await log.lines(4)
        #expect(lines[0] == "1. Juli 2026 um 17:30:00 GMT+5:30 12,34,567.8")
        #expect(lines[1] == "a,z,ä 1")
        #expect(lines[2].hasPrefix("i true "))
        #expect(lines[3] == "true true")
        await component.stop()
    }

    /// Its memory is mapped, grown and protected by the engine.
    @Test func runsWebAssembly() async throws {
        let code = """
            const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 9, 2, 1, 109, 2, 0, 1, 102, 0, 0,
                10, 6, 1, 4, 0, 65, 42, 11];
            const { f, m } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports;
            for (let round = 0; round < 1e5; round++) f();
            console.log(f(), m.grow(100), m.buffer.byteLength);
            """
        let component = try await sandbox.get().start(code, log: log)
        #expect(await log.lines() == ["42 1 6619136"])
        await component.stop()
    }

    @Test func carriesMessagesOfAllSizes() async throws {
        let log = log
        let code = """
            const send = (text) => w3n.log('info', text).then(() => console.log(`${text.length}`));
            for (const size of [0, 1, 1e3, 1e5, 1e6, 1e7]) await send('x'.repeat(size));
            for (let round = 0; round < 1000; round++) await w3n.log('info', `${round}`);
            console.log('done');
            """
        let root = ServiceObject(functions: ["log": .immediate { _ in nil }])
        let connection = HostEnd(root)
        let component = try await sandbox.get().start(.test(code)) { component, event in
            log.add(event)
            if case .message(let message) = event { connection.receive(message, from: component) }
        }
        #expect(await log.lines(7) == ["0", "1", "1000", "100000", "1000000", "10000000", "done"])
        await component.stop()
    }

    @Test func refusesCodeThatThrows() async throws {
        let log = log
        let error = await #expect(throws: ComponentError.self) {
            try await sandbox.get().start(.test("\nthrow new Error('at once')")) { _, event in log.add(event) }
        }
        #expect(error?.code == .invalidCode)
        #expect(error?.message.contains("/index.js:2:") == true)
        guard case .crashed = await log.end() else {
            Issue.record("no crash")
            return
        }
    }

    @Test func saysWhatIsMissing() throws {
        let error = #expect(throws: ComponentError.self) { try ProcessSandbox(program: "/nowhere/alcove-component") }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("ALCOVE_COMPONENT") == true)
    }
}
