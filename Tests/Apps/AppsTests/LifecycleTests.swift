import Apps
import Foundation
import Synchronization
import Testing

@Suite("The lives of apps")
struct LifecycleTests {
    @Test("the wait before a restart doubles up to its longest, and ends after too many crashes")
    func restartDelays() {
        let policy = RestartPolicy()
        let delays = (1...8).map { policy.delay(afterCrashes: $0).map { Int($0.components.seconds) } }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, nil])
        var patient = policy
        patient.attempts = .max
        #expect(patient.delay(afterCrashes: 1_000_000) == .seconds(300))
    }

    @Test("a good run makes the next crash the first one")
    func goodRuns() {
        let policy = RestartPolicy()
        #expect(policy.crashes(after: 5, run: .seconds(59)) == 6)
        #expect(policy.crashes(after: 5, run: .seconds(60)) == 1)
    }

    @Test("each strategy works, or says why it does not and what does")
    func strategies() {
        #expect(BackgroundStrategy.foregroundOnly.availability(scheduler: nil) == .available)
        for strategy in [
            BackgroundStrategy.wakeByPush, .periodic(every: .seconds(3_600)), .periodic(every: .seconds(1)),
        ] {
            guard case .unavailable(let why) = strategy.availability(scheduler: nil) else {
                #expect(Bool(false), "\(strategy.name) is available")
                continue
            }
            #expect(!why.isEmpty)
        }
    }

    #if os(Linux)
    @Test("a timer of systemd is written, started and taken away")
    func systemdTimers() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "units-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let calls = Calls()
        let timers = SystemdTimers(folder: folder, program: ["/opt/al cove/alcove", "--profile", "/home/ann/100% $me"])
        {
            calls.add($0)
        }
        try await timers.schedule(app: "tea.example", every: .seconds(1_800))
        let service = try String(contentsOf: folder.appending(path: "alcove-app-tea.example.service"), encoding: .utf8)
        #expect(
            service.contains(
                #"ExecStart="/opt/al cove/alcove" "app" "startup" "tea.example" "--once" "--profile" "/home/ann/100%% $$me""#
            ))
        let timer = try String(contentsOf: folder.appending(path: "alcove-app-tea.example.timer"), encoding: .utf8)
        #expect(timer.contains("OnUnitActiveSec=1800"))
        try await timers.cancel(app: "tea.example")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let words = calls.all.withLock { $0 }.map { $0.joined(separator: " ") }
        #expect(
            words == [
                "--user daemon-reload", "--user enable --now alcove-app-tea.example.timer",
                "--user disable --now alcove-app-tea.example.timer", "--user daemon-reload",
            ])
    }

    /// What `systemctl` was asked.
    private final class Calls: Sendable {
        let all = Mutex<[[String]]>([])

        func add(_ words: [String]) -> Int32 {
            all.withLock { $0.append(words) }
            return 0
        }
    }
    #endif
}
