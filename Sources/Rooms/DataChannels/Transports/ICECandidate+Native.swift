internal import CNice

extension NiceAddress {
    /// `nil` unless `text` is a numeric IPv4 or IPv6 address.
    init?(_ text: String, port: UInt16) {
        self.init()
        nice_address_init(&self)
        guard nice_address_set_from_string(&self, text) != 0 else { return nil }
        nice_address_set_port(&self, guint(port))
    }

    var text: String {
        var copy = self
        var buffer = [CChar](repeating: 0, count: Int(NICE_ADDRESS_STRING_LEN))
        nice_address_to_string(&copy, &buffer)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var port: UInt16 {
        var copy = self
        return UInt16(truncatingIfNeeded: nice_address_get_port(&copy))
    }
}

extension ICECandidate.Kind {
    init(_ native: NiceCandidateType) {
        self =
            switch native {
            case NICE_CANDIDATE_TYPE_SERVER_REFLEXIVE: .serverReflexive
            case NICE_CANDIDATE_TYPE_PEER_REFLEXIVE: .peerReflexive
            case NICE_CANDIDATE_TYPE_RELAYED: .relayed
            default: .host
            }
    }

    var native: NiceCandidateType {
        switch self {
        case .host: NICE_CANDIDATE_TYPE_HOST
        case .serverReflexive: NICE_CANDIDATE_TYPE_SERVER_REFLEXIVE
        case .peerReflexive: NICE_CANDIDATE_TYPE_PEER_REFLEXIVE
        case .relayed: NICE_CANDIDATE_TYPE_RELAYED
        }
    }
}

extension ICECandidate {
    /// A candidate that libnice gathered; `nil` for those that are not UDP.
    init?(_ native: UnsafeMutablePointer<NiceCandidate>) {
        guard native.pointee.transport == NICE_CANDIDATE_TRANSPORT_UDP else { return nil }
        let kind = Kind(native.pointee.type)
        self.init(
            foundation: native.foundation,
            priority: native.pointee.priority,
            address: native.pointee.addr.text,
            port: native.pointee.addr.port,
            kind: kind
        )
        if kind != .host {
            relatedAddress = native.pointee.base_addr.text
            relatedPort = native.pointee.base_addr.port
        }
    }
}

extension ICECandidate {
    /// The candidate as announced when this machine's addresses are hidden: nil unless it is a relay's, and without the
    /// related address (RFC 8839 section 5.1).
    var relayOnly: ICECandidate? {
        guard kind == .relayed else { return nil }
        var hidden = self
        hidden.relatedAddress = address.contains(":") ? "::" : "0.0.0.0"
        hidden.relatedPort = 9
        return hidden
    }
}

extension UnsafeMutablePointer<NiceCandidate> {
    var foundation: String {
        withUnsafeBytes(of: pointee.foundation) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Cut to what libnice stores, with its final zero.
    func setFoundation(_ text: String) {
        withUnsafeMutableBytes(of: &pointee.foundation) { buffer in
            let bytes = text.utf8.prefix(buffer.count - 1)
            buffer.copyBytes(from: bytes)
            buffer[bytes.count] = 0
        }
    }
}
