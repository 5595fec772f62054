import Foundation
import Testing

@testable import Rooms

/// A server may nest what it sends as deep as it likes. Foundation's decoder refuses that before it runs out of stack.
@Suite struct DeepMessageTests {
    @Test(arguments: ["[", #"{"type":"#, #"{"type":"connected","x":"#], [200, 511, 513, 1_000_000])
    func `a deep message is no message`(opening: String, depth: Int) async {
        let closing = opening.first == "[" ? "]" : "}"
        let text = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        await withCheckedContinuation { continuation in
            let thread = Thread {
                // What it is may be said in its first level, and is heard then.
                if let notice = try? SignalingNotice(text: text) { #expect(notice == .connected) }
                continuation.resume()
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
    }
}
