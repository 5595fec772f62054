import ComponentRuntime
import ComponentSupport
import Components
import Testing

/// What components may try in this process.
@Suite(.serialized) struct HostileTests {
    let log = Log()
    private static let limits = {
        var limits = ComponentLimits()
        limits.turn = .milliseconds(100)
        limits.memory = 64 << 20
        limits.message = 1 << 20
        return limits
    }()

    @Test(arguments: Attacks.survived.keys.sorted())
    func goesOnAfter(_ name: String) async throws {
        let code = (Attacks.survived[name] ?? "") + "\nsetInterval(() => console.log('alive'), 1)"
        let component = try await InProcessSandbox().start(code, limits: Self.limits, log: log)
        let events = await log.wait { !$0.uncaught.isEmpty && $0.lines.count > 1 || $0.end != nil }
        #expect(events.end == nil)
        await component.stop()
    }

    @Test(arguments: Attacks.bombs.keys.sorted())
    func endsWhoTakesTooMuch(_ name: String) async throws {
        var limits = Self.limits
        limits.turn = .seconds(60)
        let other = Log()
        let bystander = try await InProcessSandbox().start("setInterval(() => console.log('tick'), 5)", log: other)
        _ = try await InProcessSandbox().start(Attacks.bombs[name] ?? "", limits: limits, log: log)
        #expect(await log.end() == .exceeded("memory"))
        let ticks = other.events.lines.count
        await other.wait { $0.lines.count > ticks }
        await bystander.stop()
        #expect(other.events.end == .stopped)
    }

    @Test func reachesNothing() async throws {
        let component = try await InProcessSandbox().start(Attacks.reaching, log: log)
        #expect(await log.lines() == ["[]"])
        await component.stop()
    }

    @Test func pollutesOnlyItself() async throws {
        let component = try await InProcessSandbox().start(Attacks.pollution, log: log)
        let other = Log()
        let bystander = try await InProcessSandbox().start("console.log([1, 2].map((n) => n + 1).join())", log: other)
        #expect(await other.lines() == ["2,3"])
        await component.stop()
        await bystander.stop()
        #expect(log.events.last == .ended(.stopped))
    }

    @Test func endsWhoseMessagesPileUp() async throws {
        var limits = Self.limits
        limits.backlog = 1 << 16
        let component = try await InProcessSandbox().start(
            "setTimeout(() => { for (;;); }, 1)", limits: limits, log: log)
        for _ in 0..<1000 { component.send(PortMessage(port: "core-ipc", bytes: [UInt8](repeating: 0, count: 1000))) }
        #expect(await log.end() == .exceeded("backlog"))
    }

    @Test func endsWhatIsSentTooLongAMessage() async throws {
        let component = try await InProcessSandbox().start("", limits: Self.limits, log: log)
        component.send(PortMessage(port: "core-ipc", bytes: [UInt8](repeating: 0, count: 2 << 20)))
        #expect(await log.end() == .exceeded("message"))
    }
}
