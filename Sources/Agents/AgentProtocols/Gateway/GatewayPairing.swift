internal import Errors

/// Where a gateway is, and the code that lets a device in once: `jcode://pair?host=H&port=P&code=C`, as jcode writes it. Alcove's gateway adds
/// `fp=` with the fingerprint of its key; then everything goes over TLS, and only to the holder of that key.
package struct GatewayInvitation: Sendable, Hashable {
    /// Bytes of an address that is read.
    package static let limit = 1024
    /// The port where gateways listen.
    package static let usualPort = 7643

    package var host: String
    package var port: Int
    package var code: GatewayCode
    /// The SHA-256 of the gateway's public key; nil: it speaks no TLS.
    package var fingerprint: GatewayFingerprint?

    package init(host: String, port: Int = Self.usualPort, code: GatewayCode, fingerprint: GatewayFingerprint? = nil) {
        (self.host, self.port, self.code, self.fingerprint) = (host, port, code, fingerprint)
    }

    /// Reads an address. Members that are not known are passed over.
    package init(_ text: String) throws(AgentProtocolError) {
        let prefix = "jcode://pair?"
        guard text.utf8.count <= Self.limit else {
            throw AgentProtocolError(.tooLong, "the address has more than \(Self.limit) bytes")
        }
        guard text.lowercased().hasPrefix(prefix) else {
            throw AgentProtocolError(.malformed, "the address does not begin with \(prefix)")
        }
        var members: [String: String] = [:]
        for member in text.dropFirst(prefix.count).split(separator: "&") {
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, members.updateValue(Self.decoded(parts[1]), forKey: String(parts[0])) == nil else {
                throw AgentProtocolError(.malformed, "the address has a member without a value, or twice")
            }
        }
        guard let host = members["host"], Self.isHost(host) else {
            throw AgentProtocolError(.malformed, "the address names no host")
        }
        guard let code = members["code"].flatMap(GatewayCode.init) else {
            throw AgentProtocolError(.malformed, "the address has no code of six digits")
        }
        let port = members["port"].map { Int($0) ?? 0 } ?? Self.usualPort
        guard 1...65535 ~= port else { throw AgentProtocolError(.malformed, "the address has no port") }
        var fingerprint: GatewayFingerprint?
        if let text = members["fp"] {
            fingerprint = GatewayFingerprint(text)
            // Without this somebody who changes one character of it takes the protection away.
            guard fingerprint != nil else {
                throw AgentProtocolError(.malformed, "the fingerprint in the address is none")
            }
        }
        self.init(host: host, port: port, code: code, fingerprint: fingerprint)
    }

    /// Reads what a person writes: an address as above, which has its own code, or `HOST` or `HOST:PORT` with the code beside it. An IPv6 address
    /// stands in brackets if a port follows.
    package init(written text: String, code: String?) throws(AgentProtocolError) {
        if text.contains("://") {
            try self.init(text)
            return
        }
        guard let code = code.flatMap(GatewayCode.init) else {
            throw AgentProtocolError(.malformed, "there is no code of six digits")
        }
        var (host, port) = (text[...], Self.usualPort)
        if let colon = text.lastIndex(of: ":"),
            text.hasPrefix("[") ? text[..<colon].hasSuffix("]") : text.firstIndex(of: ":") == colon
        {
            (host, port) = (text[..<colon], Int(text[text.index(after: colon)...]) ?? 0)
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard Self.isHost(String(host)), 1...65535 ~= port else {
            throw AgentProtocolError(.malformed, "the address names no host, or no port")
        }
        self.init(host: String(host), port: port, code: code)
    }

    /// The address, as a QR code carries it.
    package var text: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "jcode://pair?host=\(name)&port=\(port)&code=\(code.digits)"
            + (fingerprint.map { "&fp=\($0.text)" } ?? "")
    }

    /// A host may stand in brackets, as IPv6 addresses do elsewhere.
    private static func decoded(_ text: Substring) -> String {
        let plain = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text
        var bytes: [UInt8] = []
        var rest = plain.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it can be a name or an address: nothing that would mean something else in a URL.
    package static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 253
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._:".utf8.contains(byte)
                }
            }
    }
}

/// Six digits that let a device in once, within five minutes. They are printed nowhere: whatever describes them shows dots.
package struct GatewayCode: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let digits: String

    package init?(_ digits: String) {
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        self.digits = digits
    }

    package var description: String { "••••••" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a device shows to be let in again: 64 hexadecimal digits. It is printed nowhere: whatever describes it shows dots.
package struct GatewayToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count == 64, let lower = Self.lowerHex(text) else { return nil }
        self.text = lower
    }

    static func lowerHex(_ text: String) -> String? {
        let lower = text.lowercased()
        let isHex = lower.utf8.allSatisfy {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
        }
        return isHex ? lower : nil
    }

    package var description: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The SHA-256 of a gateway's public key (its `SubjectPublicKeyInfo` in DER), in hexadecimal digits. It stays the same when the certificate is renewed.
package struct GatewayFingerprint: Sendable, Hashable, CustomStringConvertible {
    /// 64 digits in lower case.
    package let text: String

    /// Colons between the bytes are passed over.
    package init?(_ text: String) {
        let digits = text.filter { $0 != ":" }
        guard digits.utf8.count == 64, let lower = GatewayToken.lowerHex(digits) else { return nil }
        self.text = lower
    }

    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    package var description: String { text }
}
