internal import CZip
internal import Components
internal import Platform

/// A pack in a ZIP file, read by libzip. Only plain files and folders may be in it, stored or deflated.
final class ZipContents: PackContents {
    let path: String
    let entries: [PackEntry]
    private let archive: OpaquePointer
    private static let pieceSize = 256 << 10

    init(_ path: String, limits: PackLimits) throws(AppPackError) {
        self.path = path
        let (number, byteCount) = try Self.openFile(path, limits)
        var code: Int32 = 0
        guard let archive = zip_fdopen(number, Int32(ZIP_CHECKCONS), &code) else {
            defer { close(number) }
            if code == ZIP_ER_EXISTS { try Self.refuseWhatIsThereTwice(number, path, byteCount, limits) }
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            defer { zip_error_fini(&error) }
            throw AppPackError(
                .notAPack, "\(path) is no whole ZIP file: \(String(cString: zip_error_strerror(&error)))")
        }
        self.archive = archive
        do throws(AppPackError) {
            entries = try Self.list(archive, path, byteCount, limits)
        } catch {
            zip_discard(archive)
            throw error
        }
    }

    deinit { zip_discard(archive) }

    /// Opens the file and looks at its end before libzip does, which reads the whole directory at once, however long.
    private static func openFile(_ path: String, _ limits: PackLimits) throws(AppPackError) -> (Int32, Int64) {
        let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else {
            guard errno != ENOENT else {
                throw AppPackError(.noSuchFile, "there is nothing at \(path): name a folder or a ZIP file with an app")
            }
            throw AppPackError(.file, "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        do throws(AppPackError) {
            var status = stat()
            guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw AppPackError(.notAPack, "\(path) is neither a folder nor a ZIP file")
            }
            guard status.st_size <= limits.archive else {
                throw AppPackError(.refused, "\(path) is longer than \(limits.archive >> 20) MiB")
            }
            let tailSize = min(Int(status.st_size), ZipTail.byteLimit)
            var tail = [UInt8](repeating: 0, count: tailSize)
            guard pread(number, &tail, tailSize, off_t(status.st_size) - off_t(tailSize)) == tailSize else {
                throw AppPackError(.file, "cannot read \(path): \(String(cString: strerror(errno)))")
            }
            var head = [UInt8](repeating: 0, count: 4)
            let headSize = max(0, pread(number, &head, head.count, 0))
            let end = ZipTail(tail, head: Array(head.prefix(headSize)))
            try end.check(path, limits)
            try ZipNames.check(end.directories(in: Int64(status.st_size)), of: number, path)
            return (number, Int64(status.st_size))
        } catch {
            close(number)
            throw error
        }
    }

    /// libzip does not say which file it is, so this looks again without its checks.
    private static func refuseWhatIsThereTwice(
        _ number: Int32, _ path: String, _ byteCount: Int64, _ limits: PackLimits
    ) throws(AppPackError) {
        let copy = dup(number)
        guard let archive = zip_fdopen(copy, 0, nil) else {
            close(copy)
            return
        }
        defer { zip_discard(archive) }
        _ = try list(archive, path, byteCount, limits)
    }

    private static func list(
        _ archive: OpaquePointer, _ path: String, _ byteCount: Int64, _ limits: PackLimits
    ) throws(AppPackError) -> [PackEntry] {
        var listing = PackListing(of: path, limits: limits)
        let count = zip_get_num_entries(archive, 0)
        for number in 0..<UInt64(max(0, count)) {
            var status = zip_stat_t()
            guard zip_stat_index(archive, number, 0, &status) == 0,
                let rawName = zip_get_name(archive, number, UInt32(ZIP_FL_ENC_RAW)),
                let name = String(validatingCString: rawName)
            else { throw AppPackError(.refused, "\(path) holds a file whose name is not UTF-8") }
            try checkKind(archive, number, status, "'\(name.prefix(120))' in \(path)")
            if name.hasSuffix("/") {
                try listing.addFolder(String(name.dropLast()))
            } else {
                try listing.addFile(name, byteCount: Int64(clamping: status.size), number: number)
            }
        }
        guard listing.byteCount <= limits.freelyUnpacked || listing.byteCount / limits.ratio <= byteCount else {
            throw AppPackError(.refused, "\(path) would become more than \(limits.ratio) times as large when unpacked")
        }
        return listing.entries
    }

    private static func checkKind(
        _ archive: OpaquePointer, _ number: UInt64, _ status: zip_stat_t, _ place: String
    ) throws(AppPackError) {
        guard status.valid & UInt64(ZIP_STAT_SIZE) != 0 else {
            throw AppPackError(.refused, "\(place) does not say how long it is")
        }
        guard status.encryption_method == ZIP_EM_NONE else {
            throw AppPackError(.refused, "\(place) is encrypted; a pack is not")
        }
        guard status.comp_method == ZIP_CM_STORE || status.comp_method == ZIP_CM_DEFLATE else {
            throw AppPackError(.refused, "\(place) is packed in a way that is not taken here; use deflate")
        }
        var system: UInt8 = 0
        var attributes: UInt32 = 0
        guard zip_file_get_external_attributes(archive, number, 0, &system, &attributes) == 0 else {
            throw AppPackError(.notAPack, "\(place) is damaged")
        }
        // The upper half is the mode of the file where there is one, whatever system is named.
        let kind = mode_t(attributes >> 16) & S_IFMT
        guard kind == 0 || kind == S_IFREG || kind == S_IFDIR else {
            throw AppPackError(.refused, "\(place) is a link or a device; a pack holds only files")
        }
    }

    func read(_ entry: PackEntry, _ take: ([UInt8]) throws(AppPackError) -> Void) throws(AppPackError) {
        guard let file = zip_fopen_index(archive, entry.number, 0) else { throw damaged(entry) }
        defer { zip_fclose(file) }
        var rest = entry.byteCount
        while true {
            var failed = false
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                let read = zip_fread(file, buffer.baseAddress, UInt64(buffer.count))
                failed = read < 0
                count = max(0, Int(read))
            }
            if piece.isEmpty {
                // The checksum was compared when the end was read.
                guard !failed, rest == 0 else { throw damaged(entry) }
                return
            }
            rest -= Int64(piece.count)
            guard rest >= 0 else { throw damaged(entry) }
            try take(piece)
        }
    }

    private func damaged(_ entry: PackEntry) -> AppPackError {
        AppPackError(.notAPack, "\(path) is damaged at \(entry.path); get it again")
    }
}
