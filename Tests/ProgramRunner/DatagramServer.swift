import Foundation
import Platform

/// A UDP socket on the loopback interface that answers the first datagram which comes.
public final class DatagramServer: Sendable {
    private let descriptor: Int32
    public let port: UInt16

    /// - Parameter answer: what is sent back for what came.
    public init(answer: @escaping @Sendable ([UInt8]) -> [UInt8]) throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
        Thread.detachNewThread { [self] in serve(answer) }
    }

    deinit { close(descriptor) }

    private func serve(_ answer: ([UInt8]) -> [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: 1500)
        var peer = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &peer) { peer in
            peer.withMemoryRebound(to: sockaddr.self, capacity: 1) { peer in
                let count = recvfrom(descriptor, &bytes, bytes.count, 0, peer, &size)
                guard count >= 0 else { return }
                let answer = answer(Array(bytes[..<count]))
                sendto(descriptor, answer, answer.count, 0, peer, size)
            }
        }
    }
}
