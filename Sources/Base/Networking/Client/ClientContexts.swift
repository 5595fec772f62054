internal import COpenSSL
internal import Platform
internal import Synchronization

/// The TLS settings of clients, one for each trust.
///
/// Reading the authorities of a system takes some 20 ms and a few megabytes, so it is done once and not for each
/// request. A file that has changed since is read again.
enum ClientContexts {
    private struct Entry {
        var trust: TLSTrust
        var version: FileVersion?
        var context: TLSContext
    }

    /// A program trusts the system and perhaps one or two files.
    private static let limit = 8
    private static let entries = Mutex<[Entry]>([])

    /// Requests at the same time wait for the first one to read.
    static func context(for trust: TLSTrust) throws(NetworkingError) -> TLSContext {
        let result = entries.withLock { entries -> Result<TLSContext, NetworkingError> in
            let version = path(of: trust).flatMap { FileVersion(path: $0) }
            if let known = entries.first(where: { $0.trust == trust && $0.version == version }) {
                return .success(known.context)
            }
            entries.removeAll { $0.trust == trust }
            do throws(NetworkingError) {
                let context = try TLSContext.client(trust)
                if entries.count >= limit { entries.removeFirst() }
                entries.append(Entry(trust: trust, version: version, context: context))
                return .success(context)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The file that the authorities are read from; nil if there is none.
    private static func path(of trust: TLSTrust) -> String? {
        switch trust {
        case .authorities(let path): path
        case .key: nil
        case .system:
            getenv(X509_get_default_cert_file_env()).map { String(cString: $0) }
                ?? String(cString: X509_get_default_cert_file())
        }
    }
}

/// Identifies a file's content without reading it; nil if there is no file.
private struct FileVersion: Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
        let changed = status.st_mtimespec
        #else
        let changed = status.st_mtim
        #endif
        (seconds, nanoseconds) = (changed.tv_sec, changed.tv_nsec)
    }
}
