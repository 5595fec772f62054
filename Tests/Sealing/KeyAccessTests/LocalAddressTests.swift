import Networking
import Testing

@testable import KeyAccess

@Suite("Addresses that clients may contact")
struct LocalAddressTests {
    @Test(
        "Clients use https, and http only on this machine",
        arguments: [
            ("https://kas.example.com", "https://kas.example.com"),
            ("https://kas.example.com/kas", "https://kas.example.com"),
            ("https://kas.example.com:8443/tenant/kas/", "https://kas.example.com:8443/tenant"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://[::1]:8080/kas", "http://[::1]:8080"),
            ("http://localhost:8080", "http://localhost:8080"), ("https://192.0.3.1", "https://192.0.3.1"),
        ])
    func accepted(address: String, server: String) throws {
        #expect(try KeyAccessClient.server(address).description == server)
    }

    @Test(
        "Other addresses are refused",
        arguments: [
            "", "kas.example.com", "ws://kas.example.com", "ftp://kas.example.com", "http://kas.example.com",
            "https://10.0.0.1", "https://172.16.0.1", "https://172.31.255.255", "https://192.168.1.1",
            "https://169.254.169.254", "https://100.64.0.1", "https://0.0.0.0", "https://255.255.255.255",
            "https://224.0.0.1", "https://198.18.0.1", "https://[fe80::1]", "https://[fe80::1%25eth0]",
            "https://[fc00::1]",
            "https://[fd12::1]", "https://[::]", "https://[::ffff:10.0.0.1]", "https://[64:ff9b::10.0.0.1]",
            "https://[ff02::1]", "https://10.1", "https://0x0a000001", "https://167772161", "https://example.0x1",
            "https://user@kas.example.com", "https://kas.example.com/a?b",
        ])
    func refused(address: String) {
        let error = #expect(throws: KeyAccessError.self) { try KeyAccessClient.server(address) }
        #expect(error?.code == .refusedAddress)
    }
}
