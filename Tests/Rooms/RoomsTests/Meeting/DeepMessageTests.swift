import Foundation
import Testing

@testable import Rooms

/// A server may nest its messages arbitrarily deeply. Foundation's decoder refuses that before it runs out of stack.
@Suite struct DeepMessageTests {
    @Test(arguments: ["[", #"{"type":"#, #"{"type":"connected","x":"#], [200, 511, 513, 1_000_000])
    func `a deep message is no message`(opening: String, depth: Int) async {
        let closing = opening.first == "[" ? "]" : "}"
        let text = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        await withCheckedContinuation { continuation in
            let thread = Thread {
                // The type may be in the first level, and is then understood.
                if let notice = try? SignalingNotice(text: text) { #expect(notice == .connected) }
                continuation.resume()
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
    }
}
