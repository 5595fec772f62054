/// The other containers of the OpenTDF family, recognized by their first bytes. They are not read here.
enum OtherContainer {
    case zip, json, cbor

    /// - Parameter beginning: the first bytes; three are enough.
    init?(beginning: [UInt8]) {
        guard let first = beginning.first else { return nil }
        switch first {
        // A local file header, or the end record of an empty archive.
        case 0x50 where beginning.starts(with: [0x50, 0x4B]): self = .zip
        case UInt8(ascii: "{"): self = .json
        case 0xEF where beginning.starts(with: [0xEF, 0xBB, 0xBF]): self = .json
        case 0x20, 0x09, 0x0A, 0x0D:
            guard beginning.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else {
                return nil
            }
            self = .json
        // A map, alone or after the tag of self-described CBOR.
        case 0xA0...0xBF: self = .cbor
        case 0xD9 where beginning.starts(with: [0xD9, 0xD9, 0xF7]): self = .cbor
        default: return nil
        }
    }

    var words: String {
        switch self {
        case .zip: "a ZIP archive, as TDF files (.tdf) are; open it with a program for TDF, such as otdfctl"
        case .json: "JSON, perhaps a TDF in JSON; open it with a program for that format"
        case .cbor: "CBOR, perhaps a TDF in CBOR; open it with a program for that format"
        }
    }
}
