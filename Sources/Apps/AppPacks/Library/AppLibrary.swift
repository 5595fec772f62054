package import Components
internal import Storage

/// The apps that are installed, with what they were granted and the places of their data, in one folder.
///
///     packs/<reversed domain>/current                  names the folder of the version in use
///     packs/<reversed domain>/<version>/manifest.json
///     packs/<reversed domain>/<version>/app/…
///     packs/<reversed domain>/grants.json
///     waiting/<reversed domain>/<version>/…            packs that were added and are not installed
///     data/<reversed domain>/                          the app's own files
///     data/<reversed domain>+/<reversed name>/         those that it keeps under a domain below its own
///     logs/<reversed domain>.log, .denied              what it said, and what was denied to it
///     publishers/<reversed domain>                     who put it in place
///     data-version                                     there since files were moved that earlier versions kept elsewhere
///     partial/                                         what is being installed or removed
///
/// Any number of processes may use it at once. A process that dies at any moment leaves apps that are installed whole, or not at all,
/// and what it left in `partial` is removed by the next one. All functions wait for the disk, and those that change something for each
/// other, so a thread that may not wait must not call them.
package final class AppLibrary: Sendable {
    package let path: String
    package let limits: PackLimits

    /// Opens the library, and makes it if it is missing. What holds it has to be there, and is for its owner's eyes alone.
    package init(path: String, limits: PackLimits = PackLimits()) throws(AppPackError) {
        self.path = path
        self.limits = limits
        try reporting { () throws(FileError) in
            let root = try Folder.making(path)
            for place in Place.allCases { _ = try root.folder(making: place.rawValue) }
        }
        // The holder of the lock removes what is left over. Reading needs no lock, so a library that cannot be changed can still be read.
        if let lock = try? LibraryLock.take(path, patience: .zero) {
            sweep(holding: lock)
            // Otherwise before something is changed.
            try? migrate(holding: lock)
        }
    }

    enum Place: String, CaseIterable {
        case packs, waiting, data, logs, publishers, partial
    }

    func folder(_ place: Place) throws(FileError) -> Folder { try Folder(path).folder(place.rawValue) }

    /// What is installed, in the order of the domains. What is damaged is told apart.
    package func list() throws(AppPackError) -> AppListing {
        let names = try reporting(try folder(.packs).names(atMost: Self.appLimit))
        var listing = AppListing()
        for domain in names.compactMap({ AppDomain(reversed: $0) }).sorted() {
            do throws(AppPackError) {
                if let app = try installed(domain) { listing.apps.append(app) }
            } catch {
                listing.damaged.append(.init(domain: domain, explanation: error.message))
            }
        }
        return listing
    }

    static let appLimit = 10_000

    /// The app as it is installed now.
    package func app(_ domain: AppDomain) throws(AppPackError) -> InstalledApp {
        guard let app = try installed(domain) else { throw Self.notInstalled(domain) }
        return app
    }

    static func notInstalled(_ domain: AppDomain) -> AppPackError {
        AppPackError(.notInstalled, "\(domain) is not installed; 'app list' shows what is")
    }

    /// nil if it is not installed.
    func installed(_ domain: AppDomain) throws(AppPackError) -> InstalledApp? {
        // Two updates may pass between the two reads.
        for _ in 0..<8 {
            guard let name = try currentFolder(of: domain) else { return nil }
            let manifest = try reporting { () throws(FileError) in
                let packs = try folder(.packs).folder(domain.reversed)
                guard try packs.status(of: name) != nil else { return nil as [UInt8]? }
                return try packs.folder(name).read("manifest.json", atMost: AppManifest.byteLimit)
            }
            guard let manifest else { continue }
            return InstalledApp(manifest: try decode(manifest, of: domain), folder: name)
        }
        throw AppPackError(.file, "\(path)/packs/\(domain.reversed) lacks its version; install \(domain) again")
    }

    private func decode(_ bytes: [UInt8], of domain: AppDomain) throws(AppPackError) -> AppManifest {
        let file = "\(path)/packs/\(domain.reversed): manifest.json"
        do throws(ManifestError) {
            let manifest = try AppManifest(decoding: bytes)
            if manifest.domain == domain { return manifest }
        } catch {
            throw AppPackError(error, in: file)
        }
        throw AppPackError(.manifest, "\(file): it is that of another app; install \(domain) again")
    }

    /// The name in `current`: a version, and a number behind `~` where that version was put in place more than once.
    func currentFolder(of domain: AppDomain) throws(AppPackError) -> String? {
        let bytes = try reporting { () throws(FileError) in
            let packs = try folder(.packs)
            guard try packs.status(of: domain.reversed) != nil else { return nil as [UInt8]? }
            do throws(FileError) {
                return try packs.folder(domain.reversed).read("current", atMost: 256)
            } catch {
                if error.code == .missing { return nil }
                throw error
            }
        }
        guard let bytes else { return nil }
        let name = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
        guard AppVersion(String(name.prefix { $0 != "~" })) != nil else {
            throw AppPackError(
                .file, "\(path)/packs/\(domain.reversed)/current names no version; install \(domain) again")
        }
        return name
    }
}
