internal import Wire

/// What all files of the older generation have in common (`.yjson`, `.yjson.zst`): perhaps a flag byte in front, perhaps
/// Zstandard.
///
/// The flag says whether the writer was done: 00 no, 01 yes. Folders from before the flag have none, and nothing in a
/// folder says which kind it is, so each file is asked: the body of a pack or snapshot begins as JSON or Zstandard does,
/// and that of an update has the shape of one.
enum OlderFile {
    static func hasSuffix(_ name: String) -> Bool {
        name.hasSuffix(".yjson") || name.hasSuffix(".yjson.zst")
    }

    static let byteLimit = 64 << 20
    /// JSON spends about four characters on a byte.
    static let jsonLimit = 16 << 20

    /// The JSON of a pack or snapshot; nil while it is being written.
    static func json(_ bytes: [UInt8]) throws(WireError) -> JSONObject? {
        guard let body = try body(bytes, beginsRight: beginsLikeJSON) else { return nil }
        guard body.count <= jsonLimit else {
            throw WireError(.limitExceeded, "it is longer than \(jsonLimit >> 20) MiB")
        }
        guard let object = (try? JSONValue(body))?.object else { throw WireError(.malformed, "it is no JSON object") }
        return object
    }

    /// A Yjs update; nil while it is being written.
    static func update(_ bytes: [UInt8]) throws(WireError) -> [UInt8]? {
        try body(bytes, beginsRight: UpdateShape.fits)
    }

    private static func body(
        _ bytes: [UInt8], beginsRight: (ArraySlice<UInt8>) -> Bool
    ) throws(WireError) -> [UInt8]? {
        guard let flag = bytes.first else { return nil }
        let flagged = bytes.dropFirst()
        if flag <= 1, let body = try decompressed(flagged), beginsRight(body[...]) { return flag == 1 ? body : nil }
        if let body = try decompressed(bytes[...]), beginsRight(body[...]) { return body }
        // Written with the flag down, and not all of it is here.
        if flag == 0 { return nil }
        throw WireError(.malformed, "it is neither of the older formats nor torn")
    }

    private static func decompressed(_ bytes: ArraySlice<UInt8>) throws(WireError) -> [UInt8]? {
        guard bytes.starts(with: Zstandard.magic) else { return Array(bytes) }
        do throws(WireError) {
            return try Zstandard.decompress(Array(bytes), atMost: jsonLimit)
        } catch {
            if error.code == .truncated { return nil }
            throw error
        }
    }

    private static func beginsLikeJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.first == UInt8(ascii: "{")
    }
}
