package import AppCore
package import Components

extension RequestDetail {
    /// What a scope says beyond its capability; `nil` if it is all of it.
    package init?(_ scope: PermissionScope) {
        switch scope {
        case .whole: return nil
        case .folder(let domain): self = .folder(domain: domain.name)
        case .storage(let kind, let writable): self = .storage(kind: kind.rawValue, writable: writable)
        case .devicePath(let path, let writable): self = .path(path: path, writable: writable)
        case .address(let pattern):
            var (host, below): (String?, Bool) = (nil, false)
            if case .named(let name, let subdomains) = pattern.hosts { (host, below) = (name, subdomains) }
            self = .address(
                scheme: pattern.scheme.rawValue, host: host, subdomains: below, port: pattern.port.map(Int.init),
                below: pattern.pathPrefix.isEmpty ? nil : pattern.pathPrefix)
        case .named(let name, let app): self = .named(name: name, app: app?.name)
        case .part(let part): self = .part(part: part)
        }
    }
}
