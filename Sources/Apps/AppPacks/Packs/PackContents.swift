internal import Components
internal import Storage

/// A file in a pack, as the pack lists it.
struct PackEntry {
    let path: PackPath
    /// Bytes. What comes when it is read is never more.
    let byteCount: Int64
    /// Its number in the archive; 0 in a folder.
    let number: UInt64
}

/// What a pack holds, whether in a folder or in a ZIP file.
protocol PackContents: AnyObject {
    /// Where it is, for messages.
    var path: String { get }
    /// All files. Their names differ, also where case does not count.
    var entries: [PackEntry] { get }
    /// Hands a file over in pieces.
    func read(_ entry: PackEntry, _ take: ([UInt8]) throws(AppPackError) -> Void) throws(AppPackError)
}

extension PackContents {
    func bytes(of entry: PackEntry, atMost limit: Int) throws(AppPackError) -> [UInt8] {
        guard entry.byteCount <= limit else {
            throw AppPackError(.refused, "\(path)\(entry.path) is longer than \(limit) bytes")
        }
        var bytes: [UInt8] = []
        try read(entry) { (piece) throws(AppPackError) in bytes += piece }
        return bytes
    }
}

/// Collects the files of a pack and refuses what would not be the same, or not be safe, everywhere.
struct PackListing {
    private(set) var entries: [PackEntry] = []
    private let pack: String
    private let limits: PackLimits
    private var total: Int64 = 0
    /// Names as file systems compare them that know no case. Swift compares strings by canonical equivalence.
    private var files: Set<String> = []
    private var folders: Set<String> = []
    private var seen = 0

    init(of pack: String, limits: PackLimits) {
        self.pack = pack
        self.limits = limits
    }

    mutating func addFile(_ name: String, byteCount: Int64, number: UInt64 = 0) throws(AppPackError) {
        let path = try path(name)
        try count()
        let folded = path.text.lowercased()
        guard !folders.contains(folded), files.insert(folded).inserted else {
            throw AppPackError(.refused, "\(pack) holds '\(shown(name))' twice, perhaps in other case")
        }
        try addFolders(above: path)
        guard byteCount >= 0, byteCount <= limits.file else {
            throw AppPackError(.refused, "'\(shown(name))' in \(pack) is longer than \(limits.file >> 20) MiB")
        }
        total += byteCount
        guard total <= limits.total else {
            throw AppPackError(.refused, "\(pack) holds more than \(limits.total >> 20) MiB")
        }
        entries.append(PackEntry(path: path, byteCount: byteCount, number: number))
    }

    mutating func addFolder(_ name: String) throws(AppPackError) {
        let path = try path(name)
        try count()
        try addFolders(above: path)
        try addFolder(folded: path.text.lowercased(), name)
    }

    /// Bytes of all files.
    var byteCount: Int64 { total }

    private mutating func addFolders(above path: PackPath) throws(AppPackError) {
        var folder = ""
        for name in path.names.dropLast() {
            folder += "/" + name.lowercased()
            try addFolder(folded: folder, path.text)
        }
    }

    private mutating func addFolder(folded: String, _ name: String) throws(AppPackError) {
        guard !files.contains(folded) else {
            throw AppPackError(
                .refused, "\(pack) holds a file and a folder of one name, on the way to '\(shown(name))'")
        }
        folders.insert(folded)
    }

    private mutating func count() throws(AppPackError) {
        seen += 1
        guard seen <= limits.entries else {
            throw AppPackError(.refused, "\(pack) holds more than \(limits.entries) files and folders")
        }
    }

    private func path(_ name: String) throws(AppPackError) -> PackPath {
        guard let path = PackPath("/" + name) else {
            throw AppPackError(
                .refused, "\(pack) holds a file that may not be in a pack, because of its name: '\(shown(name))'")
        }
        return path
    }

    private func shown(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.prefix(120).map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}
