internal import Wire

/// One record of an archive. The records walk through folders, and each name is one step, so an archive contains no
/// paths.
package enum ArchiveRecord: Hashable, Sendable {
    /// What the writer says about the archive. It is the first record, and there is one.
    case about([UInt8])
    /// Enters a folder in the current one.
    case enter(String)
    case leave
    /// A file in the current folder.
    /// - modified: nanoseconds since 1970.
    case file(String, modified: Int64)
    /// The next bytes of the file.
    case data(ArraySlice<UInt8>)
    case endOfFile
    /// A symbolic link in the current folder.
    case link(String, target: String)
    /// An extended attribute of the file or, outside of a file, of the current folder.
    case attribute(String, [UInt8])
    /// The last record.
    /// - entries: how many folders, files and links there were.
    /// - bytes: of all files.
    case end(entries: UInt64, bytes: UInt64)

    /// The most bytes of ``about(_:)``.
    package static let aboutLimit = 1 << 16
    /// The most bytes of one piece of a file.
    package static let dataLimit = 1 << 16
    /// The most bytes of the name of a file or folder.
    package static let nameLimit = 255
    /// The most bytes of a link's target.
    package static let targetLimit = 4095
    /// The most bytes of an attribute's value.
    package static let attributeLimit = 1 << 16

    /// The record as it is written in an archive.
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

    /// Reads one. Total: any bytes give a record or an error, `truncated` if more bytes are needed.
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
        guard isStep else { throw WireError(.malformed, "a name cannot be a file name") }
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
