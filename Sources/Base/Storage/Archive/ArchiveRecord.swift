internal import Wire

/// One step of the walk through folders that an archive is. Names are one step each, so no path has to be believed.
package enum ArchiveRecord: Hashable, Sendable {
    /// What the owner says of the whole; first and once.
    case about([UInt8])
    /// A folder in the present one, which is the present one from here on.
    case enter(String)
    case leave
    /// A file in the present folder.
    /// - modified: nanoseconds since 1970.
    case file(String, modified: Int64)
    /// The next bytes of the file.
    case data(ArraySlice<UInt8>)
    case endOfFile
    /// A symbolic link in the present folder.
    case link(String, target: String)
    /// An extended attribute of the file, or, outside of a file, of the present folder.
    case attribute(String, [UInt8])
    /// The last one.
    /// - entries: how many folders, files and links there were.
    /// - bytes: of all files.
    case end(entries: UInt64, bytes: UInt64)

    /// Bytes of what an archive says about itself.
    package static let aboutLimit = 1 << 16
    /// Bytes of one piece of a file.
    package static let dataLimit = 1 << 16
    /// Bytes of the name of a file or folder.
    package static let nameLimit = 255
    /// Bytes of what a symbolic link says.
    package static let targetLimit = 4095
    /// Bytes of the value of an attribute.
    package static let attributeLimit = 1 << 16

    /// The record as it stands in an archive.
    package var bytes: [UInt8] {
        var writer = ByteWriter(reserving: 64)
        switch self {
        case .about(let text):
            writer.writeInteger(1 as UInt8)
            Self.write(text, UInt32.self, to: &writer)
        case .enter(let name):
            writer.writeInteger(2 as UInt8)
            Self.write(Array(name.utf8), UInt16.self, to: &writer)
        case .leave: writer.writeInteger(3 as UInt8)
        case .file(let name, let modified):
            writer.writeInteger(4 as UInt8)
            Self.write(Array(name.utf8), UInt16.self, to: &writer)
            writer.writeInteger(UInt64(bitPattern: modified))
        case .data(let bytes):
            writer.writeInteger(5 as UInt8)
            Self.write(bytes, UInt32.self, to: &writer)
        case .endOfFile: writer.writeInteger(6 as UInt8)
        case .link(let name, let target):
            writer.writeInteger(7 as UInt8)
            Self.write(Array(name.utf8), UInt16.self, to: &writer)
            Self.write(Array(target.utf8), UInt16.self, to: &writer)
        case .attribute(let name, let value):
            writer.writeInteger(8 as UInt8)
            Self.write(Array(name.utf8), UInt16.self, to: &writer)
            Self.write(value, UInt32.self, to: &writer)
        case .end(let entries, let bytes):
            writer.writeInteger(9 as UInt8)
            writer.writeInteger(entries)
            writer.writeInteger(bytes)
        }
        return writer.bytes
    }

    private static func write<Length: FixedWidthInteger & UnsignedInteger>(
        _ bytes: some Collection<UInt8>, _ length: Length.Type, to writer: inout ByteWriter
    ) {
        writer.writeInteger(Length(clamping: bytes.count))
        writer.writeBytes(bytes)
    }

    /// Reads one. Total: any bytes give a record or an error, `truncated` if it goes on behind their end.
    init(_ reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 1: self = .about(Array(try reader.readPrefixed(by: UInt32.self, atMost: Self.aboutLimit)))
        case 2: self = .enter(try Self.name(&reader))
        case 3: self = .leave
        case 4:
            self = .file(
                try Self.name(&reader), modified: Int64(bitPattern: try reader.readInteger(UInt64.self)))
        case 5: self = .data(try reader.readPrefixed(by: UInt32.self, atMost: Self.dataLimit))
        case 6: self = .endOfFile
        case 7:
            self = .link(
                try Self.name(&reader), target: try Self.text(&reader, atMost: Self.targetLimit))
        case 8:
            self = .attribute(
                try Self.text(&reader, atMost: Self.nameLimit),
                Array(try reader.readPrefixed(by: UInt32.self, atMost: Self.attributeLimit)))
        case 9:
            self = .end(entries: try reader.readInteger(UInt64.self), bytes: try reader.readInteger(UInt64.self))
        default: throw WireError(.malformed, "there is a record of a kind that this version does not have")
        }
    }

    private static func name(_ reader: inout ByteReader) throws(WireError) -> String {
        let name = try text(&reader, atMost: nameLimit)
        let isStep = !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(0x2f)
        guard isStep else { throw WireError(.malformed, "a name is none of a file in a folder") }
        return name
    }

    private static func text(_ reader: inout ByteReader, atMost limit: Int) throws(WireError) -> String {
        let bytes = try reader.readPrefixed(by: UInt16.self, atMost: limit)
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw WireError(.malformed, "a name is not UTF-8 text")
        }
        return text
    }
}
