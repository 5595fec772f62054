import ComponentRuntime
import Components
import Foundation
import Sandbox
import Synchronization

extension Suite {
    static let componentSandboxes = Suite(
        name: "component-sandboxes",
        about: "capability calls, starts and idle components, in process and across the sandbox"
    ) { recorder in
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "alcove-component").path
        let inProcess = InProcessSandbox()
        try await measureTrips("in process", inProcess, aim: 5, recorder)
        try await measureStarts("in process", inProcess, aim: 5, recorder)
        let cold = try ProcessSandbox(program: program, keepsSpare: false)
        try await measureTrips("across the sandbox", cold, aim: 30, recorder)
        try await measureStarts("confined", cold, aim: 40, recorder)
        try await measureStarts("confined, one kept ready", ProcessSandbox(program: program), aim: nil, recorder)
        try await measureIdle(cold, recorder)
        await measurePeer("messages to a worker of Node.js and back", "node", [], [], recorder)
        await measurePeer("messages to a worker of Deno and back", "deno", ["run"], [], recorder)
        await measurePeer("asynchronous operations of Deno (stat)", "deno", ["run", "--allow-read"], ["op"], recorder)
    }

    /// A bundle of 100 KB.
    private static let bundle =
        "const functions = ["
        + (0..<2200).map { "function f\($0)(a, b) { return a + b * \($0); }" }.joined(separator: ",\n") + "];"

    private static func launch(_ code: String) -> ComponentLaunch {
        ComponentLaunch(
            kind: .app, name: "benchmark", source: "/main.js", code: code, capabilities: [["w3n"]: ["log"]])
    }

    /// A call of a capability from JavaScript, through both ends of the object IPC, to a function that answers at once.
    private static func measureTrips(
        _ place: String, _ sandbox: any ComponentSandbox, aim: Double, _ recorder: Recorder
    ) async throws {
        let lines = Lines(count: 5)
        let host = CapabilityHost()
        let code = """
            for (let round = -1; round < 5; round++) {
                const start = performance.now();
                for (let index = 0; index < 5000; index++) await w3n.log('info', 'line');
                if (round >= 0) console.log(`${(performance.now() - start) / 5}`);
            }
            """
        let component = try await sandbox.start(launch(code)) { component, event in
            switch event {
            case .message(let message): host.receive(message, from: component)
            case .console(_, let text): lines.add(text)
            case .uncaught, .ended: lines.finish()
            }
        }
        let samples = await lines.all()
        await component.stop()
        await recorder.record(
            "capability round trip \(place)", samples.compactMap(Double.init), unit: "us", better: .lower, aim: aim)
    }

    private static func measureStarts(
        _ how: String, _ sandbox: any ComponentSandbox, aim: Double?, _ recorder: Recorder
    ) async throws {
        var samples: [Double] = []
        for _ in 0..<20 {
            let start = ContinuousClock.now
            let component = try await sandbox.start(launch(bundle)) { _, _ in }
            samples.append(start.duration(to: .now) / .milliseconds(1))
            await component.stop()
            // What is made for the next one must not slow this one down.
            try await Task.sleep(for: .milliseconds(100))
        }
        await recorder.record(
            "start of a component with 100 KB, \(how)", samples, unit: "ms", better: .lower, aim: aim)
    }

    private static func measureIdle(_ sandbox: any ComponentSandbox, _ recorder: Recorder) async throws {
        var components: [any RunningComponent] = []
        for _ in 0..<200 { components.append(try await sandbox.start(launch(bundle)) { _, _ in }) }
        try await Task.sleep(for: .seconds(2))
        let shares = processes(named: "benchmark").compactMap(proportionalSet)
        for component in components { await component.stop() }
        await recorder.record(
            "memory of one of \(shares.count) idle confined components", shares, unit: "MB", better: .lower)
    }

    private static func processes(named name: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) == name + "\n" }
    }

    /// Megabytes, with an even share of what it has in common with others.
    private static func proportionalSet(_ process: String) -> Double? {
        let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        guard let line = text?.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") }) else { return nil }
        return line.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 / 1000 }
    }

    /// The same messages in another engine; left out where that is not installed.
    private static func measurePeer(
        _ name: String, _ program: String, _ options: [String], _ arguments: [String], _ recorder: Recorder
    ) async {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = repository.appending(path: "Benchmarks/peers/worker_peer.mjs").path
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + options + [script] + arguments
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        process.environment = ["PATH": repository.appending(path: ".venv/bin").path + ":" + path, "HOME": "/tmp"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let samples = text.split(separator: "\n").compactMap { Double($0) }
        guard !samples.isEmpty else { return }
        await recorder.record(name, samples, unit: "us", better: .lower)
    }
}

/// Serves `w3n.log` at once.
private final class CapabilityHost: Sendable {
    private let connection = Mutex<ObjectConnection?>(nil)

    func receive(_ message: Components.PortMessage, from component: any RunningComponent) {
        let connection = connection.withLock { held in
            if let held { return held }
            let root = ServiceObject(functions: ["log": .immediate { _ in nil }])
            let new = ObjectConnection(root: root) { [weak component] bytes in
                component?.send(Components.PortMessage(port: "core-ipc", bytes: bytes))
            }
            held = new
            return new
        }
        connection.receive(message.bytes)
    }
}

/// Waits for a number of lines.
private final class Lines: Sendable {
    private let state = Mutex<(lines: [String], isDone: Bool, waiting: CheckedContinuation<[String], Never>?)>(
        ([], false, nil))
    private let count: Int

    init(count: Int) { self.count = count }

    func add(_ line: String) {
        state.withLock { state in
            state.lines.append(line)
            if state.lines.count == count { finish(&state) }
        }
    }

    func finish() { state.withLock { finish(&$0) } }

    private func finish(
        _ state: inout (lines: [String], isDone: Bool, waiting: CheckedContinuation<[String], Never>?)
    ) {
        state.isDone = true
        state.waiting.take()?.resume(returning: state.lines)
    }

    func all() async -> [String] {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.isDone { continuation.resume(returning: state.lines) } else { state.waiting = continuation }
            }
        }
    }
}
