import Foundation
import Peers
import Testing

/// The end of a process while requests are under way.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct EndTests {
    /// A request over https reads the authorities of the system, which takes a while; the process ended meanwhile, and crashed
    /// in about one of five runs.
    @Test func `a conversation that ends while its first https request begins ends in order`() async throws {
        let folder = NSTemporaryDirectory() + "alcove-end-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for number in 0..<40 {
            let process = try AlcoveProcess(
                "chat", "--create", "--server", "https://127.0.0.1:\(LoopbackPort.free())", "--profile",
                "\(folder)/\(number)")
            process.endInput()
            let code = try await process.exitCode()
            #expect(code >= 0, "ended by signal \(-code): \(process.lines)")
        }
    }
}
