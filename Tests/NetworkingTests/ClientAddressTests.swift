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
        ("", ""),
        (":", "::/64"),
    ])
    func oneNetworkCountsAsOneClient(_ address: String, _ key: String) {
        #expect(ClientAddress.key(address) == key)
    }

    @Test(arguments: [
        ("203.0.113.9", "203.0.113.9"), ("10.0.0.1, 203.0.113.9", "203.0.113.9"), ("203.0.113.9:4711", "203.0.113.9"),
        ("spoofed, 2001:db8::1", "2001:db8::1"), ("", nil), (" ", nil), (String(repeating: "x", count: 100), nil),
    ])
    func onlyTheNearestProxyIsBelieved(_ header: String, _ address: String?) {
        #expect(ClientAddress.forwarded(header) == address)
    }
}
