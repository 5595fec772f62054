internal import Components
internal import Storage

/// A pack in a folder. Only real files and folders may be in it; what begins with a dot is no part of it.
final class FolderContents: PackContents {
    let path: String
    let entries: [PackEntry]
    private let root: Folder
    private static let pieceSize = 256 << 10

    init(_ path: String, limits: PackLimits) throws(AppPackError) {
        self.path = path
        root = try reporting(try Folder(path))
        var listing = PackListing(of: path, limits: limits)
        try Self.list(root, below: "", into: &listing, depth: PackPath.depthLimit, limits)
        entries = listing.entries
    }

    private static func list(
        _ folder: Folder, below prefix: String, into listing: inout PackListing, depth: Int,
        _ limits: PackLimits
    ) throws(AppPackError) {
        let names = try reporting(try folder.names(atMost: limits.entries))
        for name in names.sorted() where !name.hasPrefix(".") {
            let status = try reporting(try folder.status(of: name))
            switch status?.kind {
            case .file: try listing.addFile(prefix + name, byteCount: status?.size ?? 0)
            case .folder:
                try listing.addFolder(prefix + name)
                guard depth > 1 else {
                    throw AppPackError(.refused, "\(folder.path)/\(name) is nested too deep for a pack")
                }
                let inner = try reporting(try folder.folder(name))
                try list(inner, below: "\(prefix)\(name)/", into: &listing, depth: depth - 1, limits)
            case .symbolicLink:
                throw AppPackError(.refused, "\(folder.path)/\(name) is a symbolic link; a pack holds only files")
            case .other:
                throw AppPackError(.refused, "\(folder.path)/\(name) is neither a file nor a folder")
            case nil: throw AppPackError(.changed, "\(folder.path) changed while it was read; try again")
            }
        }
    }

    func read(_ entry: PackEntry, _ take: ([UInt8]) throws(AppPackError) -> Void) throws(AppPackError) {
        let file = try reporting(try root.open(at: entry.path))
        var offset: Int64 = 0
        while offset < entry.byteCount {
            let count = min(Int64(Self.pieceSize), entry.byteCount - offset)
            let piece = try reporting(try file.read(at: offset, atMost: Int(count)))
            guard Int64(piece.count) == count else {
                throw AppPackError(.changed, "\(path)\(entry.path) became shorter while it was read; try again")
            }
            try take(piece)
            offset += count
        }
    }
}

extension Folder {
    /// Opens a file further below. No step on the way may be a symbolic link, no matter who puts one there, and when.
    borrowing func open(at path: PackPath) throws(FileError) -> FileDescriptor {
        try open(at: path.names[...])
    }

    private borrowing func open(at names: ArraySlice<String>) throws(FileError) -> FileDescriptor {
        guard let name = names.first, names.count > 1 else { return try open(names.first ?? "") }
        return try folder(name).open(at: names.dropFirst())
    }
}
