package import Components
package import Storage
internal import Wire

extension AppLibrary {
    static let grantsFile = "grants.json"
    private static let grantsVersion: JSONValue = 1

    /// What the app was granted. It changes while the app runs: watch ``watchedFolder``, and read again.
    package func grants(of domain: AppDomain) throws(AppPackError) -> Grants {
        guard try currentFolder(of: domain) != nil else { throw Self.notInstalled(domain) }
        let bytes = try reporting(try folder(.packs).folder(domain.reversed).read(Self.grantsFile, atMost: 1 << 20))
        guard let object = (try? JSONValue(bytes))?.object, object["version"] == Self.grantsVersion,
            let grants = object["grants"].flatMap({ Grants(json: $0) })
        else {
            let file = "\(path)/packs/\(domain.reversed)/\(Self.grantsFile)"
            throw AppPackError(.file, "\(file) is damaged; remove the app, keeping its data, and install it again")
        }
        return grants
    }

    static func file(for grants: Grants) -> [UInt8] {
        Array((JSONValue.object(["version": grantsVersion, "grants": grants.json]).text + "\n").utf8)
    }

    /// Grants all that the app asks for of a capability, or takes the capability back. When this returns, it is so for all who read
    /// the grants.
    package func setGrant(_ capability: Capability, to isGranted: Bool, of domain: AppDomain) throws(AppPackError) {
        try changing { (_) throws(AppPackError) in
            let app = try app(domain)
            guard let request = app.manifest.requests.first(where: { $0.capability == capability }) else {
                throw AppPackError(.notRequested, "\(domain) does not ask for \(capability.rawValue)")
            }
            var grants = try grants(of: domain)
            grants.remove(capability)
            if isGranted { for permission in request.permissions { grants.insert(permission) } }
            try reporting(try folder(.packs).folder(domain.reversed).write(Self.file(for: grants), to: Self.grantsFile))
        }
    }

    /// Where a change shows: of versions in use in `current`, of grants in `grants.json` of the app.
    package var watchedFolder: WatchedFolder { WatchedFolder("\(path)/packs", depth: 1) }
}
