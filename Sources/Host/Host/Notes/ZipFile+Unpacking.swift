import CZip
import Foundation

extension ZipFile {
    /// What is taken of a ZIP file that a person gives.
    struct Limits {
        var files = 20_000
        /// Bytes of all files together, and of one.
        var bytes: Int64 = 1 << 30
        var fileBytes: Int64 = 64 << 20

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
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            // What programs put beside the files for themselves nobody misses.
            if parts.contains(where: { $0.hasPrefix(".") && $0 != ".." || $0 == "__MACOSX" }) { continue }
            guard parts.allSatisfy(isName), isFile(archive, number),
                let taken = try write(archive, number, to: folder.appending(path: named(name)), most: limits.fileBytes)
            else {
                left += 1
                continue
            }
            bytes += taken
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

    /// - Returns: the bytes that were written; nil if it cannot be read or is too long, and nothing is there.
    private static func write(
        _ archive: OpaquePointer, _ number: UInt64, to file: URL, most: Int64
    ) throws(Problem) -> Int64? {
        guard let source = zip_fopen_index(archive, number, 0) else { return nil }
        defer { zip_fclose(source) }
        var content = Data()
        while true {
            var failed = false
            let piece = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
                let read = zip_fread(source, buffer.baseAddress, UInt64(buffer.count))
                (failed, count) = (read < 0, max(0, Int(read)))
            }
            if failed { return nil }
            if piece.isEmpty { break }
            content += piece
            if content.count > most { return nil }
        }
        do {
            let parent = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try content.write(to: file, options: .withoutOverwriting)
        } catch {
            // What is there already, or a file where a folder should be, costs that file alone.
            guard Self.isDiskFull(error) else { return nil }
            throw Problem(isDiskFull: true, message: "the disk is full")
        }
        return Int64(content.count)
    }

    private static func isDiskFull(_ error: any Error) -> Bool {
        let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
        return (error as? CocoaError)?.code == .fileWriteOutOfSpace || [Int(ENOSPC), Int(EDQUOT)].contains(code)
    }
}

extension ZipFile.Problem {
    fileprivate init(_ message: String) { self.init(isDiskFull: false, message: message) }
}
