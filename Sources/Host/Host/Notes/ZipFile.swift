internal import CZip
import Foundation

/// Packs a folder into a ZIP file, with the names that its files have below it.
enum ZipFile {
    /// Why it could not be made.
    struct Problem: Error {
        let isDiskFull: Bool
        let message: String
    }

    /// - Throws: ``Problem``; then there is no file.
    static func pack(_ folder: URL, into path: String) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        var code: Int32 = 0
        guard let archive = zip_open(path, ZIP_CREATE | ZIP_EXCL, &code) else {
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            defer { zip_error_fini(&error) }
            throw Problem(&error)
        }
        do {
            for name in names { try add(name, of: folder, to: archive) }
            // Reads and writes everything; until then nothing is on the disk.
            guard zip_close(archive) == 0 else { throw Problem(zip_get_error(archive)) }
        } catch {
            zip_discard(archive)
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    private static func add(_ name: String, of folder: URL, to archive: OpaquePointer) throws {
        let file = folder.appending(path: name).path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else { return }
        guard !isFolder.boolValue else {
            guard zip_dir_add(archive, name, ZIP_FL_ENC_UTF_8) >= 0 else { throw Problem(zip_get_error(archive)) }
            return
        }
        guard let source = zip_source_file(archive, file, 0, -1) else { throw Problem(zip_get_error(archive)) }
        guard zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8) >= 0 else {
            let problem = Problem(zip_get_error(archive))
            zip_source_free(source)
            throw problem
        }
    }
}

extension ZipFile.Problem {
    init(_ error: UnsafeMutablePointer<zip_error_t>?) {
        isDiskFull = [ENOSPC, EDQUOT].contains(error.map { zip_error_code_system($0) } ?? 0)
        message = error.flatMap(zip_error_strerror).map { String(cString: $0) } ?? "unknown"
    }
}
