import ComponentSupport
import Components
import Foundation
import ProgramRunner
import Sandbox
import Testing

/// What components may try inside the sandbox. Other components and this process are unharmed.
@Suite(.serialized) struct HostileTests {
    let log = Log()
    private static let limits = {
        var limits = ComponentLimits()
        limits.turn = .milliseconds(200)
        limits.memory = 256 << 20
        limits.message = 1 << 20
        return limits
    }()

    @Test(arguments: Attacks.survived.keys.sorted())
    func goesOnAfter(_ name: String) async throws {
        let code = (Attacks.survived[name] ?? "") + "\nsetInterval(() => console.log('alive'), 1)"
        let component = try await sandbox.get().start(code, limits: Self.limits, log: log)
        let events = await log.wait { !$0.uncaught.isEmpty && $0.lines.count > 1 || $0.end != nil }
        #expect(events.end == nil)
        await component.stop()
    }

    @Test(arguments: Attacks.bombs.keys.sorted())
    func endsWhoTakesTooMuch(_ name: String) async throws {
        var limits = Self.limits
        limits.turn = .seconds(60)
        let other = Log()
        let bystander = try await sandbox.get().start("setInterval(() => console.log('tick'), 5)", log: other)
        _ = try await sandbox.get().start(Attacks.bombs[name] ?? "", limits: limits, log: log)
        #expect(await log.end() == .exceeded("memory"))
        let ticks = other.events.lines.count
        await other.wait { $0.lines.count > ticks }
        await bystander.stop()
        #expect(other.events.end == .stopped)
    }

    @Test func endsChainsThatNeverLetGo() async throws {
        var limits = Self.limits
        limits.silence = .seconds(3)
        _ = try await sandbox.get().start("setTimeout(async () => { for (;;) await null; })", limits: limits, log: log)
        #expect(await log.end() == .hung)
    }

    @Test func endsWhoSpendsAllItsTime() async throws {
        var limits = Self.limits
        limits.processorTime = .milliseconds(300)
        limits.processorShare = 0
        let code = "setInterval(() => { const end = Date.now() + 50; while (Date.now() < end); })"
        _ = try await sandbox.get().start(code, limits: limits, log: log)
        #expect(await log.end() == .exceeded("processor time"))
    }

    @Test func reachesNothing() async throws {
        let component = try await sandbox.get().start(Attacks.reaching, log: log)
        #expect(await log.lines() == ["[]"])
        await component.stop()
    }

    @Test func seesNothingOfTheHost() async throws {
        let component = try await sandbox.get().start("await 0; console.log(new Error().stack)", log: log)
        #expect(await log.lines()[0].contains(Program.repository.path) == false)
        await component.stop()
    }

    @Test func isToldOfWhoDies() async throws {
        let log = log
        var launch = ComponentLaunch.test("setInterval(() => {}, 1)")
        launch.name = "crashing"
        let component = try await sandbox.get().start(launch) { _, event in log.add(event) }
        kill(try #require(try processes(named: "crashing").last), SIGKILL)
        guard case .crashed(let text) = await log.end() else {
            Issue.record("no crash: \(log.events)")
            return
        }
        #expect(text.hasPrefix("signal"))
        component.send(PortMessage(port: "core-ipc", bytes: [1]))
        await component.stop()
    }

    @Test func leavesNoProcesses() async throws {
        let sandbox = try ProcessSandbox(
            program: Program.products.appending(path: "alcove-component").path, keepsSpare: false)
        var components: [any RunningComponent] = []
        for _ in 0..<5 {
            var launch = ComponentLaunch.test("setInterval(() => {}, 1)")
            launch.name = "brief-life"
            components.append(try await sandbox.start(launch) { _, _ in })
        }
        #expect(try processes(named: "brief-life").count == 5)
        for component in components { await component.stop() }
        #expect(try processes(named: "brief-life").isEmpty)
        #expect(components.allSatisfy { $0.memory == 0 })
    }

    private func processes(named name: String) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter { process in
            (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) == name + "\n"
        }.sorted()
    }
}
