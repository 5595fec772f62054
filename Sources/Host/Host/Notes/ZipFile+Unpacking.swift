import CZip
import Foundation

extension ZipFile {
    /// What is taken of a ZIP file that a person gives.
    struct Limits {
        var files = 20_000
        /// Bytes of all files together, and of one.
        var bytes: Int64 = 1 << 30
        var fileBytes: Int64 = 64 << 20
        /// Bytes of one name, with the folders in it.
        var nameBytes = 1024

        static let notes = Limits()
    }

    /// Whether a file begins as ZIP files do (APPNOTE 6.3.10, sections 4.3.7 and 4.3.16), an empty one too.
    static func isOne(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 4) else {
            return false
        }
        return head.elementsEqual([0x50, 0x4B, 3, 4]) || head.elementsEqual([0x50, 0x4B, 5, 6])
    }

    /// Unpacks the files of a ZIP file into a new folder. Names that lead out of it, links, hidden files and what cannot be read are left out.
    /// - Parameter named: what a path in it becomes.
    /// - Returns: how many files were left out.
    /// - Throws: ``Problem``, also for a file that is none or holds more than `limits`.
    static func unpack(
        _ path: String, into folder: URL, limits: Limits = .notes, named: (String) -> String = { $0 }
    ) throws(Problem) -> Int {
        guard (entries(of: path) ?? 0) <= limits.files else {
            throw Problem("it holds more than \(limits.files) files")
        }
        var code: Int32 = 0
        guard let archive = zip_open(path, ZIP_RDONLY, &code) else {
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            defer { zip_error_fini(&error) }
            throw Problem(&error)
        }
        defer { zip_discard(archive) }
        let count = zip_get_num_entries(archive, 0)
        guard count <= limits.files else { throw Problem("it holds more than \(limits.files) files") }
        var (left, bytes): (Int, Int64) = (0, 0)
        for number in 0..<UInt64(max(0, count)) {
            guard let name = zip_get_name(archive, number, 0).map({ String(cString: $0) }) else {
                left += 1
                continue
            }
            guard !name.hasSuffix("/") else { continue }
            let parts = name.split(separator: "/", omittingEmptySubsequences: false).filter { $0 != "." }
            // What programs put beside the files for themselves nobody misses.
            if parts.contains(where: { $0.hasPrefix(".") && $0 != ".." || $0 == "__MACOSX" }) { continue }
            let file = folder.appending(path: named(parts.joined(separator: "/")))
            guard name.utf8.count <= limits.nameBytes, parts.allSatisfy(isName), isFile(archive, number) else {
                left += 1
                continue
            }
            let (bytesOfIt, read) = content(of: archive, number, most: limits.fileBytes)
            if let bytesOfIt, try write(bytesOfIt, to: file) {} else { left += 1 }
            // Also what was read for nothing: it may be little that becomes much.
            bytes += read
            guard bytes <= limits.bytes else { throw Problem("it holds more than \(limits.bytes >> 20) MiB") }
        }
        return left
    }

    /// A part of a path below a folder.
    private static func isName(_ part: Substring) -> Bool {
        !part.isEmpty && part != ".." && part.utf8.count <= 255
            && !part.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") }
    }

    /// The upper half of the attributes is the mode of the file, where there is one.
    private static func isFile(_ archive: OpaquePointer, _ number: UInt64) -> Bool {
        var (system, attributes): (UInt8, UInt32) = (0, 0)
        guard zip_file_get_external_attributes(archive, number, 0, &system, &attributes) == 0 else { return false }
        return [0, S_IFREG].contains(mode_t(attributes >> 16) & S_IFMT)
    }

    /// How many entries the end of the file tells of, so that libzip does not read a list without a bound; `UInt16.max` stands for more, too.
    private static func entries(of path: String) -> Int? {
        let (endSize, longestComment) = (22, 0xFFFF)
        guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else { return nil }
        let start = size > UInt64(endSize + longestComment) ? size - UInt64(endSize + longestComment) : 0
        guard (try? file.seek(toOffset: start)) != nil, let tail = try? file.readToEnd(),
            let end = tail.lastRange(of: Data([0x50, 0x4B, 5, 6])), tail.endIndex - end.lowerBound >= endSize
        else { return nil }
        return Int(tail[end.lowerBound + 10]) | Int(tail[end.lowerBound + 11]) << 8
    }

    /// - Returns: nil if it cannot be read or is too long, and how much was read.
    private static func content(of archive: OpaquePointer, _ number: UInt64, most: Int64) -> (Data?, Int64) {
        guard let source = zip_fopen_index(archive, number, 0) else { return (nil, 0) }
        defer { zip_fclose(source) }
        var content = Data()
        while true {
            var failed = false
            let piece = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
                let read = zip_fread(source, buffer.baseAddress, UInt64(buffer.count))
                (failed, count) = (read < 0, max(0, Int(read)))
            }
            if failed { return (nil, Int64(content.count)) }
            if piece.isEmpty { return (content, Int64(content.count)) }
            content += piece
            if content.count > most { return (nil, Int64(content.count)) }
        }
    }

    /// - Returns: false if its name is taken.
    private static func write(_ content: Data, to file: URL) throws(Problem) -> Bool {
        do {
            let parent = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try content.write(to: file, options: .withoutOverwriting)
        } catch {
            // What is there already, or a file where a folder should be, costs that file alone.
            guard isDiskFull(error) else { return false }
            throw Problem(isDiskFull: true, message: "the disk is full")
        }
        return true
    }

    private static func isDiskFull(_ error: any Error) -> Bool {
        let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
        return (error as? CocoaError)?.code == .fileWriteOutOfSpace || [Int(ENOSPC), Int(EDQUOT)].contains(code)
    }
}

extension ZipFile.Problem {
    fileprivate init(_ message: String) { self.init(isDiskFull: false, message: message) }
}
