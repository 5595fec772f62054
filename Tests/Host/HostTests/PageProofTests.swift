import Foundation
import Testing

@testable import PageServer

/// Pages know their host again.
@Suite struct PageProofTests {
    private static let key = String(repeating: "0b", count: 20)

    /// HMAC-SHA256 of `alcove page:Hi There` under twenty bytes 0b, as OpenSSL computes it.
    @Test func theAnswerIsTheCodeOfTheChallenge() throws {
        let answer = try #require(PageProof(key: Self.key).answer(to: #"{"type":"prove","challenge":"Hi There"}"#))
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: String])
        #expect(
            fields == ["type": "proof", "proof": "a14d873849dcb773d2eb2158c8e65f101800a4cea3dfd909f1c305e8c1b297cb"])
    }

    @Test(arguments: [
        "", "{}", #"{"type":"hello","v":1}"#, #"{"type":"prove"}"#, #"{"type":"prove","challenge":7}"#, "prove",
        #"{"type":"prove","challenge":""# + String(repeating: "a", count: 300) + #""}"#,
    ]) func otherFramesAreNoChallenges(text: String) { #expect(PageProof(key: Self.key).answer(to: text) == nil) }
}
