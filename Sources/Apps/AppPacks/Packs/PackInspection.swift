package import Components
internal import Cryptography

/// What there is to know about a pack before it is installed: what a person is shown and asked.
package struct PackInspection: Sendable {
    /// What installing would do.
    package enum Step: Hashable, Sendable {
        case new
        case update(from: AppVersion)
        /// Puts the same version in place again, as its makers do all day.
        case again
        /// Goes back, to a version that may not understand the app's data.
        case downgrade(from: AppVersion)
    }

    /// The folder or ZIP file.
    package let source: String
    package let manifest: AppManifest
    /// The bytes of all files of the app.
    package let byteCount: Int64
    package let fileCount: Int
    package let step: Step
    /// What is not right with it, though it can be installed.
    package let notes: [String]
    /// With which other apps it could be confused, in sentences: by its name, or by a domain that it names.
    package let warnings: [String]
    /// What the app asks for that the installed version did not: all of it, if none is installed.
    package let newRequests: [CapabilityRequest]
    /// The code of each headless component.
    package let scripts: [PackPath: String]
    /// The bytes of the file that the manifest calls its icon, if it is a small one.
    package let picture: [UInt8]?
    /// What the person was asked about. The installation compares both, so that nothing else is installed.
    let manifestBytes: [UInt8]
    let installed: InstalledApp?

    /// - Parameters:
    ///   - others: what else is installed.
    ///   - kept: of the domains that the manifest names, those whose apps have files here.
    init(_ pack: Pack, installed: InstalledApp?, others: [AppManifest], kept: Set<AppDomain>) throws(AppPackError) {
        source = pack.contents.path
        manifest = pack.manifest
        byteCount = pack.byteCount
        fileCount = pack.files.count
        notes = pack.manifest.warnings + pack.missing.map { "there is no file \($0), which the manifest names" }
        warnings = pack.manifest.warnings(beside: others, kept: kept, isNew: installed == nil)
        manifestBytes = pack.manifestBytes
        scripts = try pack.scripts()
        picture = pack.picture
        self.installed = installed
        guard let installed else {
            (step, newRequests) = (.new, pack.manifest.requests)
            return
        }
        newRequests = pack.manifest.requests(beyond: installed.manifest)
        let old = installed.manifest.version
        step =
            switch pack.manifest.version.precedence(to: old) {
            case 1...: .update(from: old)
            case 0: .again
            default: .downgrade(from: old)
            }
    }

    /// - Parameter goingBack: whether a newer version may be replaced.
    /// - Throws: `older` if a newer one is installed, and must not be.
    package func check(goingBack: Bool) throws(AppPackError) {
        guard case .downgrade(let newer) = step, !goingBack else { return }
        throw AppPackError(
            .older, "version \(newer) of \(manifest.domain) is installed, which is newer than \(manifest.version)")
    }

    /// Names what a person was shown: the manifest, the size, and what it replaces. In hexadecimal digits.
    package var digest: String {
        let facts = "\(byteCount) \(fileCount) \(installed?.folder ?? "")\n"
        return HashFunction.sha256.digest(Array(facts.utf8) + manifestBytes)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether what is installed has this very manifest.
    package var isInstalled: Bool { installed?.manifest == manifest }
}
