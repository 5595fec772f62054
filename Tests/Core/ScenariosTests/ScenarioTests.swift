import AppCore
import Scenarios
import Testing

@Suite struct ScenarioTests {
    @Test(arguments: Scenario.names) func aScenarioMeetsItsExpectations(name: String) throws {
        let performance = try Scenario.named(name).play()
        let broken = try Scenario.named(name).expectations.broken(in: performance.driver)
        #expect(broken.isEmpty, "\(broken)")
    }

    @Test(arguments: Scenario.names) func itsInputsReplayToTheSameBytes(name: String) throws {
        let performance = try Scenario.named(name).play()
        var replay = Core()
        for input in performance.inputs { _ = replay.dispatch(try JSON.decode(Input.self, from: JSON.encode(input))) }
        #expect(try JSON.encode(replay.state) == JSON.encode(performance.driver.state))
        #expect(replay.tree == performance.driver.core.tree)
    }

    @Test(arguments: Scenario.names) func anExpectationThatDoesNotHoldIsReported(name: String) throws {
        var expectations = try Scenario.named(name).expectations
        expectations.shows = ["words that no screen shows"]
        #expect(expectations.broken(in: try Scenario.named(name).play().driver).count == 1)
    }

    @Test(arguments: [
        ("", "valid"), ("[]", "must be an object"), ("{}", "about"),
        (#"{"about":"x","steps":[1]}"#, "a step is an object"),
        (#"{"about":"x","steps":[{}]}"#, "a step has one of"),
        (#"{"about":"x","steps":[{"pass_ms":-1}]}"#, "pass_ms is a whole number"),
    ]) func aFileThatIsNoScenarioSaysWhy(json: String, reason: String) throws {
        let error = try #require(throws: ScenarioError.self) { try Scenario(name: "bad", json: json.utf8) }
        #expect(error.description.hasPrefix("scenario bad: "))
        #expect(error.explanation.contains(reason))
    }

    @Test(arguments: [
        (#"{"type":"fly"}"#, "step 1"),
        (#"{"answer":"open_link","type":"effect_done"}"#, "step 1: no effect of the type in \"answer\" waits"),
        (#"{"type":"reachability_changed","online":"$nowadays"}"#, "$now"),
    ]) func aStepThatCannotBeDoneSaysWhy(step: String, reason: String) throws {
        let scenario = try Scenario(name: "bad", json: #"{"about":"x","steps":[\#(step)]}"#.utf8)
        let error = try #require(throws: ScenarioError.self) { try scenario.play() }
        #expect(error.description.contains(reason))
    }

    @Test func scenariosThatContinueEachOtherForEverEnd() throws {
        let loop = try Scenario(name: "loop", json: #"{"about":"x","from":"loop"}"#.utf8)
        #expect(throws: ScenarioError.self) { try loop.play { _ in loop } }
    }
}
