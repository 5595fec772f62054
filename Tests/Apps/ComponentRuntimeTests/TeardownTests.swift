import ComponentSupport
import Components
import Foundation
import Testing

@testable import ComponentRuntime
@testable import ScriptEngine

/// These count what lives in the whole process, so each has a process of its own.
@Suite struct TeardownTests {
    @Test func stoppedComponentsLeaveNothing() async {
        await #expect(processExitsWith: .success) {
            for round in 0..<20 {
                let log = Log()
                let code = "setInterval(() => w3n.log('info', 'on'), 1); console.log(new Uint8Array(1e5).length)"
                let component = try await InProcessSandbox().start(code, log: log)
                await log.lines()
                component.send(Components.PortMessage(port: "core-ipc", bytes: [UInt8](repeating: 0, count: round)))
                await component.stop()
            }
            while LiveObjectCount.contexts.count + LiveObjectCount.functions.count + LiveObjectCount.values.count
                + LiveObjectCount.threads.count > 0
            {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    @Test func componentsThatFailLeaveNothing() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<10 {
                let log = Log()
                _ = try? await InProcessSandbox().start("throw new Error('no')", log: log)
                try #require(await log.end() != .stopped)
            }
            while LiveObjectCount.contexts.count + LiveObjectCount.functions.count + LiveObjectCount.values.count
                + LiveObjectCount.threads.count > 0
            {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// A chain of awaits that nothing ends: the host is told, and others go on.
    @Test func isToldOfWhoHangs() async {
        await #expect(processExitsWith: .success) {
            let log = Log()
            var limits = ComponentLimits()
            limits.silence = .seconds(3)
            _ = try await InProcessSandbox().start(
                "setTimeout(async () => { for (;;) await null; })", limits: limits, log: log)
            try #require(await log.end() == .hung)
            let other = Log()
            _ = try await InProcessSandbox().start("console.log('fine')", log: other)
            try #require(await other.lines() == ["fine"])
            // The usual end takes the engine apart, which its thread is still using.
            _exit(EXIT_SUCCESS)
        }
    }
}
