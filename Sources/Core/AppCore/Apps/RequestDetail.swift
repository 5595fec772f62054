/// How much of a capability an app asks for: facts, of which the catalogue makes a sentence in the person's language.
package enum RequestDetail: Sendable, Hashable, Tagged {
    /// A folder of its own files.
    case folder(domain: String)
    /// Files of one storage: `synced`, `local` or `device`.
    case storage(kind: String, writable: Bool)
    /// A file or folder of this computer.
    case path(path: String, writable: Bool)
    /// Addresses: pages, or with `ws` and `wss` live connections. Without a host every site of the internet.
    case address(scheme: String, host: String?, subdomains: Bool, port: Int?, below: String?)
    /// A service, command or resource, of another app if one is named.
    case named(name: String, app: String?)
    /// A part of the capability: `reading`, `installer`.
    case part(part: String)
    /// What a trace of an older version says, in its words.
    case other(text: String)
}

extension RequestDetail {
    /// Parts that have a sentence in the catalogue: all that a manifest of this version can ask for.
    package static let knownParts: Set<String> = [
        "all", "any", "app", "chat", "downloader", "files", "folders", "installer", "mail", "mail addresses",
        "mounted folders", "opener", "reading", "screens all", "screens select", "screens use", "select", "use",
        "windows all", "windows select", "windows use", "writing",
    ]

    /// What a person reads.
    package var words: Words {
        switch self {
        case .folder(let domain): .key("request.folder", ["domain": .said(domain)])
        case .storage(let kind, let writable):
            switch kind {
            case "synced": Self.access("request.files.synced", writable)
            case "local": Self.access("request.files.local", writable)
            case "device": Self.access("request.files.device", writable)
            default: Self.access(.said(kind), writable)
            }
        case .path(let path, let writable): Self.access(.said(path), writable)
        case .address(let scheme, let host, let subdomains, let port, let below):
            Self.reach(scheme, Self.place(host, subdomains, port, below))
        case .named(let name, let app?): .key("request.of_app", ["name": .said(name), "app": .said(app)])
        case .named(let name, nil): .said(name)
        case .part(let part):
            Self.knownParts.contains(part) ? .key("request.part.\(part.replacing(" ", with: "_"))") : .said(part)
        case .other(let text): .said(text)
        }
    }

    private static func access(_ what: Words, _ writable: Bool) -> Words {
        .key(writable ? "request.access.write" : "request.access.read", ["what": .words(what)])
    }

    private static func reach(_ scheme: String, _ place: Words) -> Words {
        let isLive = scheme == "ws" || scheme == "wss"
        return .key(isLive ? "request.live" : "request.pages", ["place": .words(place), "scheme": .said(scheme)])
    }

    private static func place(_ host: String?, _ subdomains: Bool, _ port: Int?, _ below: String?) -> Words {
        var place: Words = "request.hosts.any"
        if let host { place = subdomains ? .key("request.hosts.below", ["host": .said(host)]) : .said(host) }
        if let port { place = .key("request.hosts.port", ["place": .words(place), "port": .said("\(port)")]) }
        if let below { place = .key("request.hosts.path", ["place": .words(place), "path": .said(below)]) }
        return place
    }

    /// As it may be kept and shown here.
    var fitted: RequestDetail {
        switch self {
        case .folder(let domain): .folder(domain: domain.appName)
        case .storage(let kind, let writable): .storage(kind: kind.appName, writable: writable)
        case .path(let path, let writable): .path(path: path.appSource, writable: writable)
        case .address(let scheme, let host, let subdomains, let port, let below):
            .address(
                scheme: scheme.appName, host: host?.appName, subdomains: subdomains, port: port, below: below?.appSource
            )
        case .named(let name, let app): .named(name: name.appName, app: app?.appName)
        case .part(let part): .part(part: part.appName)
        case .other(let text): .other(text: text.appName)
        }
    }
}
