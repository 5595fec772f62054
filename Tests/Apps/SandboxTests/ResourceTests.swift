#if os(Linux)
import ComponentSupport
import Components
import Foundation
import ProgramRunner
import Testing

@testable import Sandbox

/// What somebody who took over the engine takes of the machine, by calls that no script makes. The host and other components are
/// unharmed.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ResourceTests {
    private func end(_ deed: String) async throws -> ComponentEnd? {
        let evil = try ProcessSandbox(
            program: Program.products.appending(path: "evil-component").path, keepsSpare: false)
        let other = Log()
        let bystander = try await sandbox.get().start("setInterval(() => console.log('tick'), 5)", log: other)
        var limits = ComponentLimits()
        limits.memory = 256 << 20
        let log = Log()
        _ = try await evil.start(deed, limits: limits, log: log)
        let end = await log.end()
        let ticks = other.events.lines.count
        await other.wait { $0.lines.count > ticks }
        await bystander.stop()
        #expect(other.events.end == .stopped)
        return end
    }

    /// The kernel refuses them to whoever is not the system's first user; to that one nothing is refused, and the host ends it.
    @Test func endsWhoStartsTooManyThreads() async throws {
        let end = try await end("many threads")
        #expect(end == (getuid() == 0 ? .exceeded("threads") : .crashed("it ended by itself")))
    }

    @Test func endsWhoFillsTheTablesOfTheKernel() async throws {
        #expect(try await end("tables") == .exceeded("memory"))
    }

    @Test func countsWhatTheKernelSays() throws {
        let stat = "7 (a) b) c) S 1 1 1 0 -1 4194304 1 0 0 0 250 50 0 0 20 0 9 0 1 1000 42 1"
        #expect(ProcessStatus.processorTime(in: stat) == .milliseconds(300_000 / max(1, sysconf(Int32(_SC_CLK_TCK)))))
        let status =
            "Name:\tVmRSS: 7\nVmPeak:\t 9000 kB\nVmRSS:\t    1000 kB\nVmPTE:\t 20 kB\nVmSwap:\t 3 kB\nThreads:\t12\n"
        let found = try #require(ProcessStatus.memoryAndThreads(in: status))
        #expect(found == (1023 << 10, 12))
        #expect(ProcessStatus.memoryAndThreads(in: "Name:\tgone\nThreads:\t1\n") == nil)
    }
}
#endif
