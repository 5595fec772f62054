// The STUN and TURN servers that the person adds, beside those of `settings.json` or a command line.

package struct AddedIceServer: Sendable, Hashable, Codable, Identifiable {
    package let id: IceServerID
    /// With one address. A password is in the vault, like an agent's key.
    package let server: IceServer
}

package typealias IceServerID = Identifier<AddedIceServer>

package enum IceServerLimits {
    /// Servers that are added.
    package static let added = 8
    /// Bytes of an address.
    package static let addressBytes = 512
    /// Bytes of a user name.
    package static let nameBytes = 512
}

/// The address of a STUN or TURN server as it is added: `stun:host[:port]`, or `turn:host[:port]` with or without `?transport=udp` or
/// `?transport=tcp` (RFC 7064, RFC 7065). TLS to the server is not spoken, so there is neither `stuns:` nor `turns:`.
struct IceServerAddress {
    /// Without blanks around it, the scheme and the transport in lower case.
    let text: String
    let isRelay: Bool

    init?(_ written: String) {
        let written = written.trimmed
        guard written.utf8.count <= IceServerLimits.addressBytes,
            let scheme = ["stun:", "turn:"].first(where: written.lowercased().hasPrefix)
        else { return nil }
        isRelay = scheme == "turn:"
        var place = written.dropFirst(scheme.count)
        var transport = ""
        if let question = place.firstIndex(of: "?") {
            transport = place[question...].lowercased()
            place = place[..<question]
        }
        let transports = isRelay ? ["", "?transport=udp", "?transport=tcp"] : ["", "?transport=udp"]
        guard transports.contains(transport), Self.isPlace(place) else { return nil }
        text = scheme + place + transport
    }

    /// Whether it is `host`, `host:port`, `[v6]` or `[v6]:port`.
    private static func isPlace(_ text: Substring) -> Bool {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"@/#\\\"<>%".utf8.contains($0) }
        let isBracketed = text.first == "["
        let end = isBracketed ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
        guard isPlain, let end = end ?? (isBracketed ? nil : text.endIndex) else { return false }
        guard text[..<end].count > (isBracketed ? 2 : 0) else { return false }
        let port = text[end...]
        if port.isEmpty { return true }
        let digits = port.dropFirst()
        return port.first == ":" && digits.allSatisfy { ("0"..."9").contains($0) } && UInt16(digits) ?? 0 > 0
    }
}

extension Settings {
    /// The STUN and TURN servers of new connections. Those that were added come first: of several STUN servers only the first counts.
    package var usedIceServers: [IceServer] { (addedIceServers ?? []).map(\.server) + iceServers }
}

extension IceServer {
    /// The same server once for each of its addresses.
    var addresses: [IceServer] { urls.map { IceServer(urls: [$0], username: username, credential: credential) } }
}

extension AppState {
    mutating func addIceServer(
        _ url: String, _ username: String?, _ credential: SecretRef?, _ context: inout DispatchContext
    ) {
        guard !lock.isLocked else { return }
        let id = IceServerID(context.fresh.first)
        // A step that a client sends twice happens once.
        guard settings.addedIceServers?.contains(where: { $0.id == id }) != true else { return }
        let server = iceServer(url, username, credential, context)
        if let server {
            settings.addedIceServers = (settings.addedIceServers ?? []) + [AddedIceServer(id: id, server: server)]
            iceServersChanged(&context)
        }
        if server?.credential == nil { forget([credential].compactMap(\.self), &context) }
    }

    /// - Returns: `nil` if it cannot be added, and why was told.
    private mutating func iceServer(
        _ url: String, _ username: String?, _ credential: SecretRef?, _ context: DispatchContext
    ) -> IceServer? {
        guard canKeepMore(context) else { return nil }
        guard settings.addedIceServers?.count ?? 0 < IceServerLimits.added else {
            notify(.problem, Wording.tooManyIceServers, context)
            return nil
        }
        guard let address = IceServerAddress(url) else {
            notify(.problem, Wording.iceServerAddress, context)
            return nil
        }
        guard address.isRelay else { return IceServer(urls: [address.text]) }
        let name = username?.withoutControls.trimmed ?? ""
        guard (1...IceServerLimits.nameBytes).contains(name.utf8.count), let credential else {
            notify(.problem, Wording.relayNeedsPassword, context)
            return nil
        }
        return IceServer(urls: [address.text], username: name, credential: credential)
    }

    mutating func removeIceServer(_ id: IceServerID, _ context: inout DispatchContext) {
        guard !lock.isLocked, let removed = settings.addedIceServers?.first(where: { $0.id == id }) else { return }
        let rest = settings.addedIceServers?.filter { $0.id != id } ?? []
        settings.addedIceServers = rest.isEmpty ? nil : rest
        iceServersChanged(&context)
        forget([removed.server.credential].compactMap(\.self), &context)
    }

    /// What was found about a server that is gone does not hold for one that is added later, and links that have no path are
    /// opened anew, with the servers that there are now.
    mutating func iceServersChanged(_ context: inout DispatchContext) {
        context.changed(.settings)
        let used = settings.usedIceServers.flatMap(\.addresses)
        let checks = iceServerChecks?.filter { used.contains($0.server) } ?? []
        iceServerChecks = checks.isEmpty ? nil : checks
        for index in rooms.indices { renewLink(index, &context) }
    }
}
