import Testing

@testable import HostFunctions

@Suite("Public addresses")
struct PublicAddressTests {
    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "100.63.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808",
        "2002:808:808::1",
    ])
    func isPublic(address: String) { #expect(PublicAddress.contains(address)) }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.0.1", "169.254.169.254", "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1", "192.0.2.1", "192.168.0.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "::", "::1",
        "::ffff:10.0.0.1", "::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2001::1", "2001:db8::1", "3fff::1",
        "fc00::1", "fd12::1",
        "fe80::1", "fec0::1", "ff02::1", "100::1", "fe80::1%eth0", "", "localhost", "1.2.3", "1.2.3.4.5", "::g",
    ])
    func isNot(address: String) { #expect(!PublicAddress.contains(address)) }
}
