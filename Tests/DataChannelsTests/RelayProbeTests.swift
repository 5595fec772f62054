import Foundation
import Testing

@testable import DataChannels

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Whether something is at the address of a TURN server. That a real one is found is tested end to end.
@Suite(.timeLimit(.minutes(2))) struct RelayProbeTests {
    @Test(arguments: ["turn:127.0.0.1:9", "turn:127.0.0.1:9?transport=tcp", "turn:nobody.invalid", "stun", ""])
    func nobodyIsThere(url: String) async {
        #expect(await RelayProbe.isAnswering(url) == false)
    }

    /// What answers with other words, or to another question, is no TURN server.
    @Test(arguments: [true, false]) func onlyAnAnswerToTheQuestionCounts(isRight: Bool) async throws {
        let server = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(server) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> UInt16? in
                guard bind(server, pointer, length) == 0, getsockname(server, pointer, &length) == 0 else { return nil }
                return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
        let url = "turn:127.0.0.1:\(try #require(port))"
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 1500)
            var peer = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            withUnsafeMutablePointer(to: &peer) { peer in
                peer.withMemoryRebound(to: sockaddr.self, capacity: 1) { peer in
                    let count = recvfrom(server, &bytes, bytes.count, 0, peer, &size)
                    guard count >= 20 else { return }
                    // Allocate, refused with 401; or the answer to somebody else.
                    var answer: [UInt8] = [1, 0x13, 0, 0] + bytes[4..<20]
                    if !isRight { answer[19] ^= 1 }
                    sendto(server, answer, answer.count, 0, peer, size)
                }
            }
        }
        #expect(await RelayProbe.isAnswering(url) == isRight)
    }
}
