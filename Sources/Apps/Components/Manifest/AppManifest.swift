/// What an app says of itself in its `manifest.json`, in the general or in the simple form.
public struct AppManifest: Hashable, Sendable {
    /// Bytes of a manifest.
    public static let byteLimit = 256 << 10
    /// Components of one app, at most.
    public static let componentLimit = 64

    /// The domain that identifies the app.
    public var domain: AppDomain
    /// The version of the pack.
    public var version: AppVersion
    /// The name to show.
    public var name: String
    /// Its description.
    public var about: String
    /// A picture in the pack.
    public var icon: PackPath?
    /// In the order of the manifest, at least one. Their entry points differ.
    public var components: [AppComponent]
    /// The ways to open the app, in the order of the manifest.
    public var launchers: [Launcher]
    /// Folders in which the app itself keeps launchers.
    public var launcherFolders: [LauncherFolder]
    /// Components that run from the start of the system on.
    public var startup: [PackPath]
    /// Files and folders of the app that other apps may ask for.
    public var resources: [ExposedResource]
    /// Members of the manifest that this version does not understand or follow, each with its place.
    public var warnings: [String]

    /// The component that begins at this path; nil if there is none.
    public func component(_ entryPoint: PackPath) -> AppComponent? {
        components.first { $0.entryPoint == entryPoint }
    }

    /// Where the app opens on such a device: the component of the first launcher that fits, otherwise `/index.html`, if there is one.
    public func entryPoint(on device: FormFactor) -> PackPath? {
        for launcher in launchers where device.fits(launcher.formFactors) {
            if case .component(let entryPoint) = launcher.target { return entryPoint }
        }
        return component(.indexPage)?.entryPoint
    }

    /// The component that takes a command. Of several the first that was made for such a device.
    public func component(taking command: String, on device: FormFactor) -> AppComponent? {
        components.first { $0.commands[command] != nil && device.fits($0.formFactors) }
    }

    /// The component that offers a service. Of several the first that was made for such a device.
    public func component(serving service: String, on device: FormFactor) -> AppComponent? {
        components.first { $0.services[service] != nil && device.fits($0.formFactors) }
    }
}

/// What is wrong with a manifest, and where: `components["/main.mjs"].runtime: must be one of web-gui, deno`.
public struct ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Empty for the manifest as a whole.
    public let path: String
    /// What is wrong, for a person.
    public let problem: String

    /// A problem at a place of the manifest.
    public init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    public var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}
