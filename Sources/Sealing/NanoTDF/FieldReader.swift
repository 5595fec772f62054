internal import Cryptography
internal import Wire

/// Reads the fields of a NanoTDF one after the other. It knows the name and place of each, for errors and for listings
/// of all fields.
struct FieldReader {
    private var reader: ByteReader
    private(set) var fields: [NanoTDF.Field] = []
    private let isRecording: Bool

    init(_ bytes: [UInt8], recording: Bool = false) {
        reader = ByteReader(bytes)
        isRecording = recording
    }

    var offset: Int { reader.offset }
    var remaining: Int { reader.remaining }

    /// The next `count` bytes.
    mutating func bytes(_ count: Int, _ name: StaticString) throws(NanoTDFError) -> [UInt8] {
        let start = reader.offset
        do {
            let bytes = try reader.readBytes(count)
            if isRecording { fields.append(NanoTDF.Field(offset: start, bytes: bytes, name: "\(name)", meaning: "")) }
            return bytes
        } catch {
            throw NanoTDFError(
                .truncated, "\(name): \(count) bytes are needed and \(reader.remaining) are left", at: start)
        }
    }

    /// A big-endian number of `count` bytes, at most four.
    mutating func number(_ count: Int, _ name: StaticString) throws(NanoTDFError) -> Int {
        try bytes(count, name).reduce(0) { $0 << 8 | Int($1) }
    }

    /// A compressed public key on a curve. Only its length and first byte are checked.
    mutating func key(on curve: EllipticCurve, _ name: StaticString) throws(NanoTDFError) -> [UInt8] {
        let bytes = try bytes(curve.compressedByteCount, name)
        guard bytes[0] == 2 || bytes[0] == 3 else { throw invalid(bytes.count, "\(name): no compressed public key") }
        explain("on \(curve.name)")
        return bytes
    }

    /// Says what the field that was read last means.
    mutating func explain(_ meaning: @autoclosure () -> String) {
        guard isRecording, !fields.isEmpty else { return }
        fields[fields.count - 1].meaning = meaning()
    }

    /// The error about a field of `count` bytes that was read last.
    func invalid(_ count: Int, _ message: String) -> NanoTDFError {
        NanoTDFError(.invalidField, message, at: reader.offset - count)
    }

    /// Throws unless everything has been read.
    func expectEnd() throws(NanoTDFError) {
        guard reader.isAtEnd else {
            throw NanoTDFError(.trailingBytes, "\(reader.remaining) bytes follow the end", at: reader.offset)
        }
    }

    /// The next byte, which stays unread.
    var next: UInt8? {
        var ahead = reader
        return try? ahead.readByte()
    }
}
