/// The last bytes of a ZIP file, where it says how long its directory is (APPNOTE.TXT, section 4.3.16).
struct ZipTail {
    /// The end record with the longest comment, and the pointer to a 64-bit one before it.
    static let byteLimit = 22 + 65_535 + 20

    private let bytes: [UInt8]
    private let beginsAsZip: Bool

    /// - Parameter head: the first bytes of the file, where the first file in it should begin (section 4.3.7).
    init(_ bytes: [UInt8], head: [UInt8]) {
        self.bytes = bytes
        beginsAsZip = head.starts(with: [0x50, 0x4b, 3, 4])
    }

    /// Where end records, true or forged, say that the directory is, and where it is if something stands before the archive.
    /// - Parameter byteCount: of the file.
    func directories(in byteCount: Int64) -> Set<ZipNames.Directory> {
        var directories: Set<ZipNames.Directory> = []
        for start in bytes.indices.dropLast(21) where bytes[start...].starts(with: [0x50, 0x4b, 5, 6]) {
            let (count, size, offset) = (
                number(at: start + 10, 2), number(at: start + 12, 4), number(at: start + 16, 4)
            )
            let end = byteCount - Int64(bytes.count - start)
            directories.insert(.init(offset: Int64(offset), count: count))
            directories.insert(.init(offset: end - Int64(size), count: count))
            // Each takes a look at as many names as a pack may have.
            if directories.count >= 8 { break }
        }
        return directories
    }

    private func number(at start: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[start + $1]) << ($1 * 8) }
    }

    /// Throws if any record in it, true or forged, announces more files than a pack may have. The 64-bit form is for what is larger
    /// than any pack.
    func check(_ path: String, _ limits: PackLimits) throws(AppPackError) {
        var isZip = false
        for start in bytes.indices.dropLast(19) where bytes[start] == 0x50 && bytes[start + 1] == 0x4b {
            switch (bytes[start + 2], bytes[start + 3]) {
            case (6, 7):
                throw AppPackError(.refused, "\(path) is a ZIP file in the 64-bit form, which packs do not need")
            case (5, 6):
                guard start + 22 <= bytes.count else { continue }
                isZip = true
                for field in [start + 8, start + 10] {
                    let count = Int(bytes[field]) | Int(bytes[field + 1]) << 8
                    guard count <= limits.entries else {
                        throw AppPackError(.refused, "\(path) holds more than \(limits.entries) files and folders")
                    }
                }
            default: continue
            }
        }
        guard isZip else {
            throw AppPackError(
                .notAPack,
                beginsAsZip
                    ? "\(path) is an incomplete ZIP file, which lacks its end; get it again"
                    : "\(path) is neither a folder nor a ZIP file")
        }
    }
}
