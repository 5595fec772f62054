#if os(Linux)
import Components
import ComponentSupport
import Foundation
import Testing

@testable import Sandbox

/// Processes that end by other hands, and what they leave.
@Suite(.timeLimit(.minutes(1))) struct EndingTests {
    /// - Parameter isOutside: whether what is left went out of the group, where it lives on.
    @Test(arguments: [false, true]) func concludesThoughOthersHoldTheSocket(isOutside: Bool) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "left-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let starting = isOutside ? "setsid " : ""
        let words = [
            "/bin/sh", "-c",
            "\(starting)sh -c 'echo $$ > \(file); exec sleep 100' & until [ -s \(file) ]; do :; done",
        ]
        let loop = try #require(SandboxLoop.shared)
        let component = SandboxedComponent(on: loop)
        let log = Log()
        let result = await withCheckedContinuation { started in
            component.run(
                .init(launch: .test(""), events: { _, event in log.add(event) }) { started.resume(returning: $0) })
            loop.perform { component.begin(words) }
        }
        #expect(throws: ComponentError.self) { try result.get() }
        guard case .crashed = await log.end() else {
            Issue.record("no crash: \(log.events)")
            return
        }
        await component.stop()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let left = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
        if isOutside {
            #expect(isRunning(left))
            kill(left, SIGKILL)
        }
        // Nobody else ends it: without that, the time is over first.
        while isRunning(left) { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func endsWhoseUnfinishedMessagesTakeTooMuch() async throws {
        let words = [
            "/bin/sh", "-c", #"{ printf '\001\000\000\000'; head -c 8000000 /dev/zero; } >&3; exec sleep 100"#,
        ]
        let loop = try #require(SandboxLoop.shared)
        let component = SandboxedComponent(on: loop, inputMemory: MemoryBudget(2 << 20))
        let log = Log()
        let result = await withCheckedContinuation { started in
            component.run(
                .init(launch: .test(""), events: { _, event in log.add(event) }) { started.resume(returning: $0) })
            loop.perform { component.begin(words) }
        }
        #expect(throws: ComponentError.self) { try result.get() }
        #expect(await log.end() == .exceeded("memory for its messages"))
    }

    private func isRunning(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return false }
        return !text[end...].dropFirst(2).hasPrefix("Z")
    }
}
#endif
