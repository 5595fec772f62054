package import AgentProtocols
internal import Cryptography
package import Storage

/// A device that was let in.
package struct GatewayDevice: Sendable, Hashable, Codable, Identifiable {
    /// Chosen by the device.
    package let id: String
    /// What the device calls itself: a stranger's words.
    package var name: String
    /// `sha256:` and the SHA-256 of the token's 64 characters, in hexadecimal digits. The token itself is kept nowhere.
    var tokenHash: String
    /// Milliseconds since 1970.
    package var pairedAt: Int64
    /// When it connected last.
    package var lastSeen: Int64?

    static func hash(_ token: GatewayToken) -> String {
        "sha256:"
            + HashFunction.sha256.digest(Array(token.text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            .joined()
    }
}

/// The devices that were let in to the gateways of a profile: a small file that only its owner may read, replaced as a whole.
package struct GatewayDevices: Sendable {
    /// Devices at once.
    package static let limit = 64

    /// Where they are kept.
    let folder: String
    private let file: KeptFile<Content>

    /// - Parameter folder: made if it is missing, with what it lies in already there.
    package init(folder: String) {
        self.folder = folder
        file = KeptFile(folder: folder, name: "devices.json", remedy: "remove it, and pair your devices anew")
    }

    private struct Content: KeptContent {
        var version = 1
        var devices: [GatewayDevice] = []
    }

    /// All of them, the newest last.
    /// - Throws: `FileError` if the file is there and cannot be read: then nobody is let in.
    package func all() throws(FileError) -> [GatewayDevice] { try file.read().devices }

    /// Tells whether ``all()`` has something else to say; nil if that is not known.
    var edition: FileEdition? { file.edition }

    /// Lets a device in, in place of what had its id.
    /// - Returns: false if there are too many.
    package func add(
        id: String, name: String, token: GatewayToken, now: Int64
    ) throws(FileError) -> Bool {
        try file.change { content in
            content.devices.removeAll { $0.id == id }
            guard content.devices.count < Self.limit else { return false }
            content.devices.append(
                GatewayDevice(id: id, name: name, tokenHash: GatewayDevice.hash(token), pairedAt: now, lastSeen: nil))
            return true
        }
    }

    /// Notes that a device connected.
    package func saw(_ id: String, now: Int64) throws(FileError) {
        try file.change { content in
            guard let index = content.devices.firstIndex(where: { $0.id == id }) else { return false }
            content.devices[index].lastSeen = now
            return true
        }
    }

    /// Lets the device with this id in no more, if there is one.
    /// - Returns: those that are still let in.
    package func revoke(id: String) throws(FileError) -> [GatewayDevice] {
        var left: [GatewayDevice] = []
        try file.change { content in
            let before = content.devices.count
            content.devices.removeAll { $0.id == id }
            left = content.devices
            return left.count < before
        }
        return left
    }

    /// Lets a device in no more.
    /// - Parameter named: its id, or its name.
    /// - Returns: the devices that are out now.
    package func revoke(_ named: String) throws(FileError) -> [GatewayDevice] {
        var gone: [GatewayDevice] = []
        try file.change { content in
            let ids = content.devices.filter { $0.id == named }
            gone = ids.isEmpty ? content.devices.filter { $0.name == named } : ids
            content.devices.removeAll { device in gone.contains { $0.id == device.id } }
            return !gone.isEmpty
        }
        return gone
    }
}
