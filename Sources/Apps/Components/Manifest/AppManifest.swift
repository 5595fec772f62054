/// What an app says of itself in its `manifest.json`, in the general or in the simple form.
public struct AppManifest: Hashable, Sendable {
    /// Bytes of a manifest.
    public static let byteLimit = 256 << 10
    public static let componentLimit = 64

    public var domain: AppDomain
    public var version: AppVersion
    public var name: String
    /// Its description.
    public var about: String
    public var icon: PackPath?
    /// In the order of the manifest, at least one. Their entry points differ.
    public var components: [AppComponent]
    public var launchers: [Launcher]
    public var launcherFolders: [LauncherFolder]
    /// Components that run from the start of the system on.
    public var startup: [PackPath]
    public var resources: [ExposedResource]
    /// What the manifest says that nobody here understands or follows, each with its place.
    public var warnings: [String]

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
    public let problem: String

    public init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    public var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}
