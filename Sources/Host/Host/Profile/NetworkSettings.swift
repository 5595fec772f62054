package import DataChannels
import Foundation

/// How this machine reaches others. Nothing is baked in: no STUN or TURN server is used unless one is named here, or
/// handed out by the rendezvous server if none is.
///
/// Read from `settings.json` in the profile, for example
/// ```json
/// {"server": "https://rendezvous.example", "iceServers": [{"urls": ["stun:stun.example:3478"]}]}
/// ```
package struct NetworkSettings: Sendable, Equatable, Codable {
    /// The rendezvous server, as `http(s)://host[:port]`.
    package var server: String?
    package var iceServers: [ICEServer]?
    /// Only talk through the relays (TURN) named in `iceServers` or handed out by the server, so that the other side never learns our address.
    package var relayOnly: Bool?
    /// Host candidates come only from these local addresses; absent: from every interface.
    package var bindAddresses: [String]?

    package init(
        server: String? = nil,
        iceServers: [ICEServer]? = nil,
        relayOnly: Bool? = nil,
        bindAddresses: [String]? = nil
    ) {
        self.server = server
        self.iceServers = iceServers
        self.relayOnly = relayOnly
        self.bindAddresses = bindAddresses
    }

    /// Reads the settings file, if there is one.
    package init(path: String) throws(ProfileError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            self.init()
            return
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw ProfileError.badSettings(path: path, reason: Self.explain(error))
        }
        // A setting that is misspelt would be one that is not set: who wants only relays would show their address.
        if let unknown = Self.unknown(in: data) { throw ProfileError.badSettings(path: path, reason: unknown) }
        do {
            try check()
        } catch {
            throw ProfileError.badSettings(path: path, reason: error.message)
        }
    }

    /// Checks that a connection can be made with these settings. Without servers of one's own, those that the rendezvous
    /// server hands out are used, so relays may come from there.
    package func check() throws(PeerConnectionError) {
        let servers = iceServers ?? []
        let policy: PeerConnectionConfiguration.ICETransportPolicy =
            relayOnly == true && !servers.isEmpty ? .relay : .all
        try PeerConnectionConfiguration.check(
            iceServers: servers, policy: policy, bindAddresses: bindAddresses ?? [])
    }

    /// Names what has no meaning here.
    private static func unknown(in data: Data) -> String? {
        let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
        let servers = (object["iceServers"] as? [[String: Any]]) ?? []
        let known = ["server", "iceServers", "relayOnly", "bindAddresses"]
        return unknown(object.keys, known, at: "")
            ?? servers.lazy.compactMap { server in
                unknown(server.keys, ["urls", "username", "credential"], at: "iceServers.")
            }.first
    }

    private static func unknown(_ names: some Sequence<String>, _ known: [String], at place: String) -> String? {
        let unknown = names.filter { !known.contains($0) }.sorted()
        guard !unknown.isEmpty else { return nil }
        let list = unknown.prefix(8).map { "\"\(place)\($0.prefix(64))\"" }.joined(separator: ", ")
        return "\(list) means nothing here; what can be set is \(known.joined(separator: ", "))"
    }

    private static func explain(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return error.localizedDescription }
        switch error {
        case .dataCorrupted(let context): return context.debugDescription
        case .keyNotFound(let key, _): return "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" has the wrong type"
        @unknown default: return "it is not valid JSON"
        }
    }
}
