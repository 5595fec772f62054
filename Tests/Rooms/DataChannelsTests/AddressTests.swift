import Synchronization
import Testing

@testable import DataChannels

/// What the peer must not learn: memory addresses, and network addresses that are hidden behind a relay.
@Suite("Addresses", .timeLimit(.minutes(5)))
struct AddressTests {
    /// Two associations on one loop, and all packets between them.
    private final class Link: Sendable {
        struct Sides {
            var first: UsrsctpTransport?
            var second: UsrsctpTransport?
        }

        let loop = EventLoop.next()
        let packets = Mutex<[[UInt8]]>([])
        let connected = Atomic(0)
        /// Used on the loop only.
        nonisolated(unsafe) var sides = Sides()

        func start() {
            loop.submit { [self] in
                sides.first = try? make { $0.second }
                sides.second = try? make { $0.first }
                for side in [sides.first, sides.second] { try? side?.connect(localPort: 5000, remotePort: 5000) }
            }
        }

        private func make(_ other: @escaping @Sendable (Sides) -> UsrsctpTransport?) throws -> UsrsctpTransport {
            try UsrsctpTransport(
                loop: loop,
                maxMessageSize: 1000,
                handlers: SCTPHandlers(
                    transmit: { [self] packet in
                        let copy = Array(packet)
                        packets.withLock { $0.append(copy) }
                        loop.submit { [self] in copy.withUnsafeBytes { other(sides)?.receive($0) } }
                    },
                    message: { _, _, _ in },
                    incomingReset: { _ in },
                    outgoingReset: { _ in },
                    stateChanged: { [self] in if $0 == .connected { connected.add(1, ordering: .relaxed) } },
                    pending: { [self] in
                        loop.submit { [self] in
                            sides.first?.flush()
                            sides.second?.flush()
                        }
                    },
                    writable: {},
                    mayReceive: { true }
                )
            )
        }

        /// On the loop.
        func look<Result: Sendable>(_ body: @escaping @Sendable (Sides) -> Result) async -> Result {
            await withCheckedContinuation { continuation in
                loop.submit { [self] in continuation.resume(returning: body(sides)) }
            }
        }

        func end() async {
            await withCheckedContinuation { continuation in
                loop.submit { [self] in
                    sides = Sides()
                    continuation.resume()
                }
            }
        }
    }

    @Test("no packet of an association holds an address of this process")
    func noPointersInPackets() async throws {
        let link = Link()
        link.start()
        while link.connected.load(ordering: .relaxed) < 2 { try await Task.sleep(for: .milliseconds(5)) }
        let pointers = await link.look { sides in
            [sides.first, sides.second].compactMap(\.self).flatMap { side in
                [UInt(bitPattern: side.endpoint.pointer), UInt(bitPattern: side.socket)]
            }
        }
        #expect(pointers.count == 4)
        // INIT, INIT ACK with its cookie, COOKIE ECHO, COOKIE ACK, and later HEARTBEAT, which names the address.
        func kinds() -> Set<UInt8> { Set(link.packets.withLock { $0.map { $0[12] } }) }
        while !kinds().isSuperset(of: [1, 2, 10, 11, 4]) { try await Task.sleep(for: .milliseconds(20)) }
        let packets = link.packets.withLock { $0 }
        let numbers = await link.look { [$0.first, $0.second].compactMap { $0?.endpoint.number } }
        let named = numbers.filter { number in
            let bytes = withUnsafeBytes(of: number) { Array($0) }
            return packets.contains { $0.firstRange(of: bytes) != nil }
        }
        #expect(!named.isEmpty, "the number in place of the address was not found")
        for pointer in pointers {
            let bytes = withUnsafeBytes(of: pointer) { Array($0) }
            #expect(packets.allSatisfy { $0.firstRange(of: bytes) == nil })
        }
        await link.end()
    }

    @Test("an association that is released ends without being closed")
    func releasedAssociationEnds() async throws {
        let link = Link()
        link.start()
        while link.connected.load(ordering: .relaxed) < 2 { try await Task.sleep(for: .milliseconds(5)) }
        let numbers = await link.look { [$0.first, $0.second].compactMap { $0?.endpoint.number } }
        #expect(numbers.count == 2)
        #expect(numbers.allSatisfy { UsrsctpStack.endpoint($0) != nil })
        await link.end()
        #expect(numbers.allSatisfy { UsrsctpStack.endpoint($0) == nil })
    }

    @Test(
        "behind a relay only, no candidate names an own address",
        arguments: [("192.0.2.1", "0.0.0.0"), ("2001:db8::1", "::")])
    func relayHidesTheBase(_ relay: String, _ hidden: String) throws {
        func candidate(_ kind: ICECandidate.Kind) -> ICECandidate {
            ICECandidate(
                foundation: "1", priority: 1, address: relay, port: 3478, kind: kind, relatedAddress: "10.1.2.3",
                relatedPort: 4711)
        }
        let shown = try #require(candidate(.relayed).relayOnly)
        #expect(shown.line == "candidate:1 1 UDP 1 \(relay) 3478 typ relay raddr \(hidden) rport 9")
        for kind in [ICECandidate.Kind.host, .serverReflexive, .peerReflexive] {
            #expect(candidate(kind).relayOnly == nil)
        }
    }
}
