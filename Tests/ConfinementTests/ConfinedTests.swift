import ComponentSupport
import Components
import Confinement
import Foundation
import ProgramRunner
import Testing

/// One wall for all tests.
let wall = Result { try ConfinedWall(program: Program.products.appending(path: "alcove-component").path) }

@Suite struct ConfinedTests {
    let log = Log()

    @Test func runsAComponent() async throws {
        let component = try await wall.get().start("console.log(typeof w3n, 6 * 7)", log: log)
        #expect(await log.lines() == ["object 42"])
        await component.stop()
        #expect(log.events.last == .ended(.stopped))
    }
}
