internal import Components
internal import Storage

/// Bytes of an open file that are going to be read in one call.
struct FilePart {
    let file: ConfinedFile
    let offset: Int64
    let count: Int

    /// Fewer only if the file became shorter meanwhile.
    func bytes(after head: [UInt8] = []) throws(FileError) -> [UInt8] {
        try file.read(at: offset, atMost: count, after: head)
    }

    /// A reply with them, `BytesProto.ReadReplyBody` or `FileProto.ReadBytesReplyBody`.
    func reply(to call: ServiceCall) throws(FileError) -> PlacedBytes {
        try PlacedBytes(expecting: count, inReplyTo: call) { head throws(FileError) in try bytes(after: head) }
    }
}
