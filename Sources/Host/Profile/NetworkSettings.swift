public import DataChannels
import Foundation

/// How this machine reaches others. Nothing is baked in: no STUN or TURN server is used unless one is named here.
///
/// Read from `settings.json` in the profile, for example
/// ```json
/// {"server": "https://rendezvous.example", "iceServers": [{"urls": ["stun:stun.example:3478"]}]}
/// ```
public struct NetworkSettings: Sendable, Equatable, Codable {
    /// The rendezvous server, as `http(s)://host[:port]`.
    public var server: String?
    public var iceServers: [ICEServer]?
    /// Only talk through the relays (TURN) named in `iceServers`, so that the other side never learns our address.
    public var relayOnly: Bool?
    /// Host candidates come only from these local addresses; absent: from every interface.
    public var bindAddresses: [String]?

    public init(
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

    /// The server that `alcove serve` starts when it is told nothing.
    public static let localServer = "http://127.0.0.1:8710"

    /// Reads the settings file, if there is one.
    public init(path: String) throws(ProfileError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            self.init()
            return
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw ProfileError.badSettings(path: path, reason: Self.explain(error))
        }
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
