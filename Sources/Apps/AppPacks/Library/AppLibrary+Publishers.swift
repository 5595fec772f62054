package import Components
internal import Storage

/// Who put an app in place, and may put another version there.
///
/// A manifest proves nothing about who wrote it, so this is what there is to go by. It is kept as long as anything of the app is: whoever
/// removes an app does not come into its name.
package enum AppPublisher: Hashable, Sendable {
    case person
    /// An app that installs others.
    case app(AppDomain)

    init(_ text: String) { self = AppDomain(text).map { .app($0) } ?? .person }

    var text: String {
        switch self {
        case .person: "person"
        case .app(let domain): domain.name
        }
    }
}

extension AppLibrary {
    /// Who put an app in place; nil if nothing of it is here, so that anybody may.
    package func publisher(of domain: AppDomain) throws(AppPackError) -> AppPublisher? {
        try reporting { () throws(FileError) in
            let publishers = try folder(.publishers)
            if try publishers.status(of: domain.reversed) != nil {
                let bytes = try publishers.read(domain.reversed, atMost: 512)
                return AppPublisher(String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self))
            }
            // Installed before this was written down.
            if try folder(.data).status(of: domain.reversed) != nil { return .person }
            return try isNobodys(domain) ? nil : .person
        }
    }

    /// Throws unless `publisher` may put a version of an app in place. An app may always replace itself.
    package func check(_ publisher: AppPublisher, mayPublish domain: AppDomain) throws(AppPackError) {
        guard case .app(let installer) = publisher, installer != domain, let known = try self.publisher(of: domain),
            known != publisher
        else { return }
        let whose =
            switch known {
            case .person: "you installed it yourself"
            case .app(let other): "\(other) installed it"
            }
        throw AppPackError(
            .foreign,
            "\(installer) may not put its own code in the place of \(domain), because \(whose); update it with 'app install'"
        )
    }

    /// Writes down who publishes an app from now on. One that replaces itself stays whose it was.
    func note(_ publisher: AppPublisher, of domain: AppDomain) throws(AppPackError) {
        if publisher == .app(domain), try self.publisher(of: domain) != nil { return }
        try reporting(try folder(.publishers).write(Array("\(publisher.text)\n".utf8), to: domain.reversed))
    }
}
