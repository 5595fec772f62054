package import Components
package import Storage

/// The files of a core: the ports `fs_*` and `fh_*`, with the meaning that POSIX gives them, confined to one folder.
///
/// Paths are absolute and beneath the folder, or relative to it. What leads out of it, also through links, is `EPERM`. Errors
/// are exceptions of type `file` with a code; no path of this machine is in them.
package final class HostFiles: Sendable {
    /// What one component may use.
    package struct Limits: Hashable, Sendable {
        /// Files open at the same time.
        package var openFiles = 512
        /// Bytes that one call reads. Larger files are read in parts.
        package var read = (64 << 20) - 4096
        /// Names in one folder.
        package var names = 100_000

        package init() {}
    }

    let folder: ConfinedFolder
    let files: OpenFiles
    let limits: Limits
    private let queue = BlockingQueue("files of a core")

    /// - Parameter path: a folder that exists. Scripts must name it by this path, or without links.
    package init(folder path: String, limits: Limits = Limits()) throws(FileError) {
        do throws(FileError) {
            folder = try ConfinedFolder(path)
        } catch {
            throw FileError(.missing, "cannot open the folder \(path): \(error.reason)")
        }
        self.limits = limits
        files = OpenFiles(limit: limits.openFiles)
    }

    /// Closes all files that the component left open.
    package func close() { files.closeAll() }

    /// The functions by the names of their ports.
    package var functions: [String: NativeFunction] {
        var functions = FileFunctions(queue: queue)
        addNames(to: &functions)
        addContents(to: &functions)
        addOpenFiles(to: &functions)
        return functions.byPort
    }
}
