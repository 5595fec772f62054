import Testing

@testable import DataChannels

/// What the peer must not learn: network addresses that are hidden behind a relay.
@Suite("Addresses", .timeLimit(.minutes(5)))
struct AddressTests {
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
