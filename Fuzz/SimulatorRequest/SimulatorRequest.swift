import AppCore
import Foundation
import Scenarios
import Simulator

/// Reads lines as requests to one simulator: each gets an answer that can be written, and the simulator lives.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSimulatorRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let isDone = DispatchSemaphore(value: 0)
    Task {
        await play(bytes)
        isDone.signal()
    }
    isDone.wait()
    return 0
}

private func play(_ bytes: [UInt8]) async {
    guard let scenario = try? Scenario.named("first_run"), let simulator = try? Simulator(scenario: scenario) else {
        preconditionFailure("the scenario cannot be played")
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(32) {
        if isSlow(line) { continue }
        let response = await simulator.answer(line: line)
        precondition(response.ok == (response.result != nil) && response.ok == (response.error == nil))
        precondition((try? JSON.encode(response)) != nil, "the response cannot be written")
    }
}

/// What waits for the clock of the machine, or takes long because it was asked to, is no find.
private func isSlow(_ line: ArraySlice<UInt8>) -> Bool {
    guard let request = try? JSON.decode(Request.self, from: line) else { return false }
    return ["wait", "changes", "walk", "lint", "advance"].contains(request.method)
}
