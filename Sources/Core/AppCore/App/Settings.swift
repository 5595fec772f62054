/// What the person chose. Readable while the vault is locked, so it holds no secret.
package struct Settings: Sendable, Hashable, Codable {
    /// The rendezvous server for new rooms.
    package var server: String
    /// The STUN and TURN servers of `settings.json` or a command line: the host names them at each start.
    package var iceServers: [IceServer] = []
    /// Those that the person added; `nil` for none.
    package internal(set) var addedIceServers: [AddedIceServer]?
    /// Whether the vault is protected by a passphrase.
    package var hasPassphrase = false
    package var autoLock = false
    /// Whether the person has put the welcome away; `nil` for no.
    package var isWelcomed: Bool?
    /// What notifications of the desktop tell; `nil` for ``NotificationContent/hidden``.
    package var notifications: NotificationContent?
    /// The colours of pages; `nil` for those of the system.
    package var theme: Theme?
    /// Whether a page hides what it shows while another window is in front; `nil` for no.
    package var coversWhenAway: Bool?
    /// The language in which pages and notifications speak; `nil` for that of the system.
    package var language: Language?
    /// What the person is called: beside what they write in notes, and nowhere in a room. `nil` for what the system calls them.
    package var name: String?

    /// What a notification of the desktop says about a message. The program that shows it may keep it, and shows it to everybody
    /// who sees the screen.
    package enum NotificationContent: String, Sendable, Hashable, Codable, CaseIterable {
        /// There is none.
        case off
        /// That there is a message.
        case hidden
        /// Who wrote it, and its first line.
        case full
    }

    /// The languages that have a catalogue, by their tags (BCP 47).
    package enum Language: String, Sendable, Hashable, Codable, CaseIterable {
        case system
        case english = "en"
        case german = "de"
    }

    /// Bytes of ``name`` as UTF-8.
    package static let nameBytes = 128

    /// The colours of pages.
    package enum Theme: String, Sendable, Hashable, Codable, CaseIterable { case system, light, dark }

    package var notificationContent: NotificationContent { notifications ?? .hidden }

    /// Where `alcove serve` listens when it is not told otherwise.
    package static let defaultServer = "http://127.0.0.1:8080"

    package init(server: String = Settings.defaultServer) { self.server = server }
}

extension AppState {
    mutating func endWelcome(_ context: inout DispatchContext) {
        guard !lock.isLocked, settings.isWelcomed != true else { return }
        settings.isWelcomed = true
        context.changed(.settings)
    }

    mutating func setServer(_ url: String, _ context: inout DispatchContext) {
        guard !lock.isLocked else { return }
        guard let server = Self.server(from: url) else { return notify(.problem, Wording.serverInvalid, context) }
        guard server != settings.server else { return }
        settings.server = server
        context.changed(.settings)
    }

    /// An `http` or `https` URL with a host and without credentials, query, fragment or final slash; else `nil`.
    static func server(from url: String) -> String? {
        var text = url.trimmed
        while text.hasSuffix("/") { text.removeLast() }
        guard text.utf8.count <= 2048, let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix)
        else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let allowed = rest.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"@?#\\\"<>".utf8.contains($0) }
        guard allowed, let first = rest.first, first != UInt8(ascii: "/"), first != UInt8(ascii: ":") else {
            return nil
        }
        return text
    }

    mutating func setTheme(_ theme: Settings.Theme, _ context: inout DispatchContext) {
        guard !lock.isLocked, settings.theme ?? .system != theme else { return }
        settings.theme = theme == .system ? nil : theme
        context.changed(.settings)
    }

    mutating func setCover(_ on: Bool, _ context: inout DispatchContext) {
        guard !lock.isLocked, settings.coversWhenAway ?? false != on else { return }
        settings.coversWhenAway = on ? true : nil
        context.changed(.settings)
    }

    mutating func setLanguage(_ language: Settings.Language, _ context: inout DispatchContext) {
        guard !lock.isLocked, settings.language ?? .system != language else { return }
        settings.language = language == .system ? nil : language
        context.changed(.settings)
    }

    /// An empty name takes it away.
    mutating func setName(_ text: String, _ context: inout DispatchContext) {
        guard !lock.isLocked else { return }
        let name = text.withoutControls.trimmed.limited(to: Settings.nameBytes).trimmed
        guard name != settings.name ?? "" else { return }
        settings.name = name.isEmpty ? nil : name
        context.changed(.settings)
    }

    mutating func setIceServers(_ servers: [IceServer], _ context: inout DispatchContext) {
        guard !lock.isLocked else { return }
        let areValid = servers.count <= 16 && servers.allSatisfy { Self.isValid($0) }
        guard areValid else { return notify(.problem, Wording.iceServerInvalid, context) }
        guard servers != settings.iceServers else { return }
        let kept = Set(servers.compactMap(\.credential))
        let dropped = settings.iceServers.compactMap(\.credential).filter { !kept.contains($0) }
        settings.iceServers = servers
        iceServersChanged(&context)
        forget(dropped, &context)
    }

    private static func isValid(_ server: IceServer) -> Bool {
        (1...16).contains(server.urls.count) && (server.username?.utf8.count ?? 0) <= 512
            && server.urls.allSatisfy { url in
                url.utf8.count <= 512 && ["stun:", "stuns:", "turn:", "turns:"].contains(where: url.hasPrefix)
            }
    }

    mutating func forget(_ secrets: [SecretRef], _ context: inout DispatchContext) {
        if !secrets.isEmpty { issue(.forgetSecrets(secrets: secrets), &context) }
    }
}
