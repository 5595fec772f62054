import Wire

/// Writes ZIP files as no honest program would: every field can be set.
struct ZipWriter {
    struct Entry {
        var name: [UInt8]
        var content: [UInt8]
        var flags: UInt16 = 0x0800
        var method: UInt16 = 0
        /// As announced, where it is not the length of the content.
        var size: UInt32?
        var checksum: UInt32?
        var system: UInt8 = 3
        var mode: UInt16 = 0o100644
        /// Where the directory says it is, if not where it is.
        var offset: UInt32?

        init(_ name: String, _ content: [UInt8] = []) {
            self.name = Array(name.utf8)
            self.content = content
        }
    }

    var entries: [Entry] = []
    /// How many files the end says there are.
    var announced: UInt16?

    var bytes: [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let offset = entry.offset ?? UInt32(file.count)
            let common =
                words(20, entry.flags, entry.method, 0, 0x21) + word(entry.checksum ?? Self.checksum(entry.content))
                + word(UInt32(entry.content.count)) + word(entry.size ?? UInt32(entry.content.count))
                + words(UInt16(entry.name.count), 0)
            file += word(0x0403_4b50) + common + entry.name + entry.content
            directory +=
                word(0x0201_4b50) + [20, entry.system] + common + words(0, 0, 0) + word(UInt32(entry.mode) << 16)
            directory += word(offset) + entry.name
        }
        let count = announced ?? UInt16(entries.count)
        return file + directory + word(0x0605_4b50) + words(0, 0, count, count) + word(UInt32(directory.count))
            + word(UInt32(file.count)) + words(0)
    }

    private func words(_ values: UInt16...) -> [UInt8] { values.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] } }

    private func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { value, byte in
            (0..<8).reduce(value ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0) }
        }
    }
}
