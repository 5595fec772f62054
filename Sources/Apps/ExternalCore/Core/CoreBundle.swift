internal import Storage

/// A core library of the 3NWeb platform, as one classic script that a person supplies.
///
/// Either it brings its own wiring to the host, as the bundle of the Android app does, or it defines `core3NWeb`, and
/// `core-load` wires it; `docs/protocols/component-ipc.md` says how.
package struct CoreBundle: Sendable {
    /// What stack traces call it.
    package let name: String
    let code: String

    /// Bytes of a bundle. Real ones have five million.
    package static let byteLimit = 64 << 20

    package init(name: String, code: String) {
        self.name = name
        self.code = code
    }

    /// Reads a file.
    package init(path: String) throws(CoreError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try AtomicFile.read(path, atMost: Self.byteLimit)
        } catch {
            throw CoreError(.invalidBundle, error.message)
        }
        guard let code = String(validating: bytes, as: UTF8.self) else {
            throw CoreError(.invalidBundle, "\(path) is not a script in UTF-8; name the core library's bundle")
        }
        self.init(name: path.split(separator: "/").last.map(String.init) ?? path, code: code)
    }

    /// The script with the line that hands what it defines to `core-load`.
    var script: String { code + "\n;_startCore_(typeof core3NWeb === 'undefined' ? undefined : core3NWeb)" }
}
