import Testing

@testable import Networking

struct ClientAddressTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8::1", "2001:db8:0:0::/64"),
        ("::1", "0:0:0:0::/64"),
        ("fe80::1%eth0", "fe80:0:0:0::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::FFFF:c000:207", "192.0.2.7"),
        ("::fffe:c000:207", "0:0:0:0::/64"),
        ("2001:db8:0001:02::5", "2001:db8:1:2::/64"),
        ("", ""),
        (":", ":"),
    ])
    func oneNetworkCountsAsOneClient(_ address: String, _ key: String) {
        #expect(ClientAddress.key(address) == key)
    }

    @Test func aNetworkIsWhatOneSiteHas() {
        #expect(ClientAddress("2001:db8:1:2::1").network == "2001:db8:1::/48")
        #expect(ClientAddress("2001:db8:1:ffff::1").network == "2001:db8:1::/48")
        #expect(ClientAddress("2001:db8:2:2::1").network == "2001:db8:2::/48")
        #expect(ClientAddress("192.0.2.7").network == nil)
        #expect(ClientAddress("::ffff:192.0.2.7").network == nil)
    }

    @Test func aNetworkHasAMultipleOfWhatAnAddressHas() {
        var counter = SourceCounter(2, network: 3)
        let sources = (0..<10).map { ClientAddress("2001:db8:1:\($0)::1") }
        for source in sources[..<3] {
            for _ in 0..<2 {
                #expect(counter.hasRoom(for: source))
                counter.add(source)
            }
            #expect(!counter.hasRoom(for: source))
        }
        #expect(!counter.hasRoom(for: sources[3]))
        #expect(counter.hasRoom(for: ClientAddress("2001:db8:2:3::1")))
        counter.remove(sources[0])
        #expect(counter.hasRoom(for: sources[3]))
        #expect(SourceCounter(.max, network: 8).hasRoom(for: sources[0]))
    }

    @Test(arguments: [
        ("203.0.113.9", "203.0.113.9"), ("10.0.0.1, 203.0.113.9", "203.0.113.9"), ("203.0.113.9:4711", "203.0.113.9"),
        ("spoofed, 2001:db8::1", "2001:db8::1"), ("::ffff:192.0.2.7", "::ffff:192.0.2.7"),
        ("[2001:db8::1]:443", "2001:db8::1"), ("1.2.3.4, unknown", nil),
        ("", nil), (" ", nil), (String(repeating: "x", count: 100), nil),
    ])
    func onlyTheNearestProxyIsBelieved(_ header: String, _ address: String?) {
        #expect(ClientAddress.forwarded(header) == address)
    }
}
