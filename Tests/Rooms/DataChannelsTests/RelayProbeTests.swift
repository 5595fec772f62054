import ProgramRunner
import Testing

@testable import DataChannels

/// Whether a server runs at the address of a TURN server. The end-to-end tests use a real one.
@Suite(.timeLimit(.minutes(2))) struct RelayProbeTests {
    @Test(arguments: [
        "turn:127.0.0.1:9", "turn:127.0.0.1:9?transport=tcp", "turn:nobody.invalid", "stun:127.0.0.1:9", "stun", "",
    ])
    func nobodyIsThere(url: String) async {
        #expect(await RelayProbe.isAnswering(url) == false)
    }

    @Test func aSTUNServerIsAskedForABinding() async throws {
        let server = try DatagramServer { question in
            guard question.count == 20, question[0] == 0, question[1] == 1 else { return [] }
            return [1, 1, 0, 0] + question[4..<20]
        }
        #expect(await RelayProbe.isAnswering("stun:127.0.0.1:\(server.port)"))
    }

    /// An answer in another protocol, or to another request, is not from a TURN server.
    @Test(arguments: [true, false]) func onlyAnAnswerToTheQuestionCounts(isRight: Bool) async throws {
        let server = try DatagramServer { question in
            guard question.count >= 20 else { return [] }
            // Allocate, refused with 401; or the answer to somebody else.
            var answer: [UInt8] = [1, 0x13, 0, 0] + question[4..<20]
            if !isRight { answer[19] ^= 1 }
            return answer
        }
        let url = "turn:127.0.0.1:\(server.port)"
        #expect(await RelayProbe.isAnswering(url) == isRight)
    }
}
