/// The Data Channel Establishment Protocol (RFC 8832 section 5): how a channel is announced inside the association.
package enum DCEP: Hashable {
    case open(Open)
    case acknowledge

    package struct Open: Hashable {
        package var isOrdered = true
        package var reliability = Reliability.reliable
        package var priority: UInt16 = 256
        package var label = ""
        package var subprotocol = ""
    }

    package enum Reliability: Hashable {
        case reliable
        /// Give up after this many retransmissions.
        case maxRetransmits(UInt32)
        /// Give up after this many milliseconds.
        case maxPacketLifeTime(UInt32)
    }

    /// Reads one message of PPID 50. Total: throws on anything malformed.
    package init(_ bytes: [UInt8]) throws(PeerConnectionError) {
        func refuse(_ why: String) -> PeerConnectionError { PeerConnectionError(.transport, "DCEP: \(why)") }
        switch bytes.first {
        case 0x02:
            self = .acknowledge
        case 0x03:
            guard bytes.count >= 12 else { throw refuse("DATA_CHANNEL_OPEN is cut short") }
            let labelCount = Int(bytes[8]) << 8 | Int(bytes[9])
            let protocolCount = Int(bytes[10]) << 8 | Int(bytes[11])
            guard bytes.count == 12 + labelCount + protocolCount else {
                throw refuse("the lengths of label and protocol do not fit the message")
            }
            guard let label = String(validating: bytes[12..<12 + labelCount], as: UTF8.self),
                let subprotocol = String(validating: bytes[(12 + labelCount)...], as: UTF8.self)
            else { throw refuse("label or protocol is not UTF-8") }
            let parameter = bytes[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let reliability: Reliability
            switch bytes[1] & 0x7F {
            case 0x00: reliability = .reliable
            case 0x01: reliability = .maxRetransmits(parameter)
            case 0x02: reliability = .maxPacketLifeTime(parameter)
            default: throw refuse("unknown channel type \(bytes[1])")
            }
            self = .open(
                Open(
                    isOrdered: bytes[1] & 0x80 == 0,
                    reliability: reliability,
                    priority: UInt16(bytes[2]) << 8 | UInt16(bytes[3]),
                    label: label,
                    subprotocol: subprotocol
                )
            )
        default:
            throw refuse("unknown message type")
        }
    }

    /// The message for the wire. Label and protocol are at most 65535 bytes each; the channel checks that.
    package var bytes: [UInt8] {
        guard case .open(let open) = self else { return [0x02] }
        var type: UInt8 = open.isOrdered ? 0 : 0x80
        var parameter: UInt32 = 0
        switch open.reliability {
        case .reliable: break
        case .maxRetransmits(let count): (type, parameter) = (type | 0x01, count)
        case .maxPacketLifeTime(let milliseconds): (type, parameter) = (type | 0x02, milliseconds)
        }
        let label = Array(open.label.utf8.prefix(0xFFFF))
        let subprotocol = Array(open.subprotocol.utf8.prefix(0xFFFF))
        var bytes: [UInt8] = [0x03, type, UInt8(open.priority >> 8), UInt8(open.priority & 0xFF)]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: parameter >> (24 - 8 * $0)) }
        for count in [label.count, subprotocol.count] { bytes += [UInt8(count >> 8), UInt8(count & 0xFF)] }
        return bytes + label + subprotocol
    }
}
