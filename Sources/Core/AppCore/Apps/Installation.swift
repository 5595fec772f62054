/// An app on its way in: looked at, asked about, installed. There is one at a time.
package struct Installation: Sendable, Hashable, Codable {
    package enum Step: String, Sendable, Hashable, Codable { case inspecting, asking, installing }

    /// The folder or ZIP file.
    package let source: String
    /// What the person calls it, if its path says nothing.
    package private(set) var name: String?
    package internal(set) var step: Step
    /// The ``Effect/Kind/inspectApp(source:)`` or ``Effect/Kind/installApp(source:digest:grants:)`` that is under way.
    package internal(set) var effect: EffectID?
    /// What is to be installed; `nil` until it was looked at.
    package internal(set) var pack: AppPack?
    /// How much is done.
    package internal(set) var progress: Progress?
    /// Why the last attempt did not work out; another one comes by itself.
    package internal(set) var failure: Failure?

    init(source: String, name: String? = nil, step: Step, effect: EffectID? = nil) {
        (self.source, self.name, self.step, self.effect) = (source, name, step, effect)
    }

    /// Where it came from, to show.
    var origin: String { name ?? source }

    package struct Progress: Sendable, Hashable, Codable {
        package var done: Int64
        package var total: Int64
    }

    /// What the person decides: all of a new app, the new ones of an update.
    package var open: [AppRequest] { pack?.open ?? [] }
}

/// A pack that the host has looked at: what a person has to know before it is installed.
package struct AppPack: Sendable, Hashable, Codable {
    package enum Step: String, Sendable, Hashable, Codable {
        case new, update
        /// The same version again.
        case again
        /// Back to an older version.
        case downgrade
    }

    package var app: AppID
    package var name: String
    package var version: String
    package var about: String
    package var bytes: Int64
    package var step: Step
    /// The version that is installed.
    package var replaces: String?
    /// Names what was looked at: the host installs nothing else.
    package var digest: String
    /// For what the installed version asks already, `granted` says what was decided.
    package var requests: [AppRequest]
    /// With which other apps it could be confused, in sentences. Hosts that do not look leave it out.
    package var warnings: [String]?
    /// Whether the host has a picture of it, under its digest.
    package var icon: Bool?

    package init(
        app: AppID, name: String, version: String, about: String = "", bytes: Int64 = 0, step: Step = .new,
        replaces: String? = nil, digest: String, requests: [AppRequest] = [], warnings: [String]? = nil,
        icon: Bool? = nil
    ) {
        self.app = app
        self.name = name
        self.version = version
        self.about = about
        self.bytes = bytes
        self.step = step
        self.replaces = replaces
        self.digest = digest
        self.requests = requests
        self.warnings = warnings
        self.icon = icon
    }

    package var title: String { name.isEmpty ? app.text : name }

    var open: [AppRequest] { step == .new ? requests : requests.filter(\.added) }

    /// As it may be kept and shown here. What is to be decided begins as granted if it is harmless.
    var fitted: AppPack {
        var pack = self
        pack.name = name.appName
        pack.version = version.appName
        pack.replaces = replaces?.appName
        pack.about = about.withoutControls.limited(to: AppsLimits.aboutBytes)
        pack.bytes = max(bytes, 0)
        pack.digest = digest.appName
        pack.warnings = warnings?.prefix(AppsLimits.warnings).map {
            $0.withoutControls.limited(to: AppsLimits.aboutBytes)
        }
        pack.requests = requests.fitted.map { request in
            guard step == .new || request.added else { return request }
            var request = request
            request.granted = !request.sensitive
            return request
        }
        return pack
    }
}
