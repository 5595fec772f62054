import Preloads
import ScriptEngine
import Testing

/// Tests that are written in JavaScript, each file in a context of its own.
@Suite struct ScriptTests {
    @Test func wireFormat() async throws { try await run(wire) }
    @Test func objectIPC() async throws { try await run(connection) }
    @Test func capabilityMethods() async throws { try await run(capabilities) }
    @Test func components() async throws { try await run(component) }
    @Test func cores() async throws { try await run(PreloadsTests.core) }
    @Test func pages() async throws { try await run(page) }

    private func run(_ tests: String) async throws {
        let uncaught = Collected()
        var configuration = ScriptConfiguration()
        configuration.uncaught = { uncaught.add("\($0)") }
        let result = try await Interpreter(configuration).resolve(tests + ";runTests()")
        guard case .object(let members) = result, case .array(let failures)? = members["failures"],
            case .number(let count)? = members["count"]
        else {
            Issue.record("the tests answered \(result)")
            return
        }
        #expect(count > 0)
        #expect(failures == [])
        #expect(uncaught.all == [])
    }
}
