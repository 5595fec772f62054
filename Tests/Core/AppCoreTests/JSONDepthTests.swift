import Foundation
import Testing

@testable import AppCore

/// JSON comes over sockets, out of files and from foreign cores.
@Suite("Deep JSON") struct JSONDepthTests {
    private static func nested(_ open: String, _ close: String, _ depth: Int) -> [UInt8] {
        Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }

    /// Decodes on a thread with the least stack that systems give to one by themselves.
    private func isDecoded(_ text: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                let value = try? JSON.decode(JSONValue.self, from: text)
                continuation.resume(returning: value != nil)
            }
            thread.stackSize = 2 << 20
            thread.start()
        }
    }

    @Test("is refused before it is decoded", arguments: [JSON.depthLimit + 1, 500, 600, 1_000_000])
    func tooDeep(depth: Int) async {
        #expect(await !isDecoded(Self.nested("[", "]", depth)))
        #expect(await !isDecoded(Self.nested("{\"a\":", "}", depth)))
    }

    @Test("as deep as allowed needs no more stack than threads have")
    func allowed() async {
        #expect(await isDecoded(Self.nested("[", "]", JSON.depthLimit)))
        #expect(await isDecoded(Self.nested("{\"a\":", "}", JSON.depthLimit)))
        #expect(await isDecoded(Self.nested("[{\"a\":", "}]", JSON.depthLimit / 2)))
    }

    @Test("brackets in texts are no depth")
    func texts() async throws {
        let text = String(repeating: "[", count: 1000)
        #expect(
            try JSON.decode(JSONValue.self, from: Array("[\"\\\"\(text)\"]".utf8)) == .array([.string("\"" + text)]))
    }
}
