import AppCore
import AppPacks
import Components

/// The picture that an app brings for itself.
package struct AppPicture: Sendable {
    /// Bytes of one that is shown.
    static let limit = 256 << 10

    package let bytes: [UInt8]
    /// One of a few types of pictures, by its name alone.
    package let type: String

    package init(bytes: [UInt8], type: String) { (self.bytes, self.type) = (bytes, type) }

    /// Nil if a pack has none, or none that is shown.
    init?(of inspection: PackInspection) {
        guard let type = inspection.manifest.icon.flatMap(Self.type), let bytes = inspection.picture,
            bytes.count <= Self.limit
        else { return nil }
        self.init(bytes: bytes, type: type)
    }

    static func type(_ path: PackPath) -> String? {
        guard let dot = path.text.lastIndex(of: ".") else { return nil }
        return types[path.text[path.text.index(after: dot)...].lowercased()]
    }

    private static let types = [
        "svg": "image/svg+xml", "png": "image/png", "webp": "image/webp", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    ]
}

extension HostedApps {
    /// - Returns: nil if the app has none, or none that is shown.
    func picture(of app: String) async throws -> AppPicture? {
        guard let domain = AppDomain(app) else { return nil }
        return try await onDisk { library in
            let installed = try library.app(domain)
            guard let path = installed.manifest.icon, let type = AppPicture.type(path) else { return nil }
            let bytes = try library.read(path, of: installed)
            return bytes.count <= AppPicture.limit ? AppPicture(bytes: bytes, type: type) : nil
        }
    }
}

extension AppHost {
    /// The picture of an installed app, or by its digest of the one that the person is asked about, while the profile is open.
    package func picture(ofApp app: String) async throws -> AppPicture? {
        if read({ $0.apps.installation?.pack?.digest == app }) {
            return await apps.asked.flatMap { $0.digest == app ? $0.picture : nil }
        }
        guard read({ !$0.lock.isLocked && $0.apps.list.contains { $0.id.text == app } }) else { return nil }
        return try await apps.picture(of: app)
    }
}
