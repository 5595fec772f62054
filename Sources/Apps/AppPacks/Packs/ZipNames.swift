internal import Platform

/// The names in the directory of a ZIP file, as they stand there (APPNOTE.TXT, section 4.3.12). libzip hands them out as C strings, which
/// end at a zero byte, so that a name with one would stand for another file than it says.
struct ZipNames {
    /// Where a directory lies, as an end record says.
    struct Directory: Hashable {
        var offset: Int64
        var count: Int
    }

    private static let headSize = 46

    /// Throws if a name holds a zero byte. What is not a directory is left to libzip.
    /// - Parameter number: the descriptor of the file.
    static func check(_ directories: some Sequence<Directory>, of number: Int32, _ path: String) throws(AppPackError) {
        for directory in directories {
            var offset = directory.offset
            for _ in 0..<directory.count {
                guard let head = read(number, offset, headSize), head.starts(with: [0x50, 0x4b, 1, 2]) else { break }
                let sizes = [28, 30, 32].map { Int(head[$0]) | Int(head[$0 + 1]) << 8 }
                guard let name = read(number, offset + Int64(headSize), sizes[0]) else { break }
                guard !name.contains(0) else {
                    let shown = String(decoding: name.prefix(120).map { $0 < 0x20 ? 0x3f : $0 }, as: UTF8.self)
                    throw AppPackError(.refused, "\(path) holds a file with a zero byte in its name: '\(shown)'")
                }
                offset += Int64(headSize + sizes.reduce(0, +))
            }
        }
    }

    private static func read(_ number: Int32, _ offset: Int64, _ count: Int) -> [UInt8]? {
        guard offset >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(number, &bytes, count, off_t(offset)) == count ? bytes : nil
    }
}
