package import Components
internal import Storage

/// An app as it is installed, in one version. Who runs the app keeps this value: its files stay until the update after the
/// next one.
package struct InstalledApp: Hashable, StoredVersion {
    package let manifest: AppManifest
    /// The name of the folder of this version.
    let folder: String

    package var domain: AppDomain { manifest.domain }
    package var version: AppVersion { manifest.version }
    package var steps: [String] { [AppLibrary.Place.packs.rawValue, domain.reversed, folder] }
}

/// What is installed.
package struct AppListing: Sendable {
    /// By domain.
    package var apps: [InstalledApp] = []
    /// Apps whose files were damaged by something else. Install them again, or remove them.
    package var damaged: [DamagedApp] = []

    /// The app that a person means: by its domain, or by its name in whatever case, if only one has that name.
    package func app(named text: String) throws(AppPackError) -> InstalledApp {
        if let app = apps.first(where: { $0.domain == AppDomain(text) }) { return app }
        let named = apps.filter { $0.manifest.name.lowercased() == text.lowercased() }
        guard named.count < 2 else {
            let domains = named.map(\.domain.name).joined(separator: " and ")
            throw AppPackError(.notInstalled, "'\(text)' can be \(domains); give the domain")
        }
        guard let app = named.first else {
            throw AppPackError(.notInstalled, "'\(text)' is not installed; 'app list' shows what is")
        }
        return app
    }

    package struct DamagedApp: Hashable, Sendable {
        package let domain: AppDomain
        package let explanation: String
    }
}

/// An open file of an app. It stays as it is when the app is updated or removed.
package final class AppFile: Sendable {
    /// Bytes.
    package let byteCount: Int64
    private let file: FileDescriptor

    init(_ file: FileDescriptor) throws(FileError) {
        byteCount = try file.status().size
        self.file = file
    }

    /// At most `count` bytes from a place in the file; fewer only where it ends.
    package func read(at offset: Int64, atMost count: Int) throws(AppPackError) -> [UInt8] {
        guard offset >= 0, offset < byteCount, count > 0 else { return [] }
        let count = Int(min(Int64(count), byteCount - offset))
        return try reporting(try file.read(at: offset, atMost: count))
    }

    /// The whole file. The limits of packs bound it.
    package func readAll() throws(AppPackError) -> [UInt8] { try read(at: 0, atMost: Int(clamping: byteCount)) }
}
