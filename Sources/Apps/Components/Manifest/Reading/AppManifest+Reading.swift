public import Wire

extension AppManifest {
    /// The JSON of a manifest's file. Editors of Windows put a byte order mark before it.
    public static func json(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSONValue {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        return try JSONValue(bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0))
    }

    /// Reads a manifest. Total: any bytes give a manifest or an error, in linear time.
    ///
    /// Unknown members become warnings. Known members have to be right, because apps would otherwise fail later and without a
    /// reason.
    public init(decoding bytes: some Collection<UInt8>) throws(ManifestError) {
        guard bytes.count <= Self.byteLimit else {
            throw ManifestError(path: "", problem: "the manifest is longer than \(Self.byteLimit) bytes")
        }
        let json: JSONValue
        do throws(JSONError) {
            json = try Self.json(bytes)
        } catch {
            switch error {
            case .malformed(let line):
                throw ManifestError(
                    path: "", problem: "the manifest is not JSON; it cannot be read from line \(line) on")
            case .tooDeep:
                throw ManifestError(path: "", problem: "the manifest nests deeper than \(JSONValue.depthLimit) levels")
            }
        }
        let notes = ManifestNotes()
        let root = ManifestValue(json: json, path: "", notes: notes)
        guard json.object != nil else { throw root.error("the manifest is not an object") }
        var object = try root.object()
        let domain = try Self.domain(of: &object)
        let version = try object.required("version")
        guard let number = AppVersion(try version.string()) else {
            throw version.error("must be a version such as 1.0.0")
        }
        (self.domain, self.version) = (domain, number)
        name = try object.required("name").name()
        about = try object.optional("description")?.string(atMost: 4096) ?? ""
        icon = try object.optional("icon")?.iconPath()
        if let map = object.optional("components") {
            components = try Self.components(in: map, of: domain)
        } else {
            components = [try AppComponent(onlyOneOf: &object, of: domain)]
        }
        (launchers, launcherFolders, startup, resources, warnings) = ([], [], [], [], [])
        try readLaunchers(from: &object)
        resources =
            try object.optional("exposedFSResources")?.map().map { (entry) throws(ManifestError) in
                try ExposedResource(entry.name.name(), entry.value)
            } ?? []
        object.done()
        warnings = notes.warnings
    }

    private static func domain(of object: inout ManifestObject) throws(ManifestError) -> AppDomain {
        let value = try object.required("appDomain")
        let domain = try value.domain()
        guard !domain.isReserved else {
            throw value.error("\(domain) belongs to the platform; use a domain of your own")
        }
        return domain
    }

    private static func components(in map: ManifestValue, of app: AppDomain) throws(ManifestError) -> [AppComponent] {
        let components = try map.map(atMost: componentLimit).map { (entry) throws(ManifestError) in
            try AppComponent(entryPoint: entry.name.packPath(), entry.value, of: app)
        }
        guard !components.isEmpty else { throw map.error("must name at least one component") }
        return components
    }

    private mutating func readLaunchers(from object: inout ManifestObject) throws(ManifestError) {
        for value in try object.optional("launchers")?.array() ?? [] {
            if value.json.object?["launchersFolder"] != nil {
                launcherFolders.append(try LauncherFolder(value))
            } else {
                launchers.append(try Launcher(value, of: self))
            }
        }
        for value in try object.optional("launchOnSystemStartup")?.array() ?? [] {
            var launcher = try value.object()
            let place = try launcher.required("component")
            let component = try existing(place)
            guard component.runtime != .webGUI else {
                place.warn("is left out, because it has a window and nobody asked for one")
                continue
            }
            startup.append(component.entryPoint)
        }
    }

    /// The component that a value names.
    fileprivate func existing(_ value: ManifestValue) throws(ManifestError) -> AppComponent {
        let path = try value.packPath()
        guard let component = component(path) else { throw value.error("there is no component '\(path)'") }
        return component
    }
}

extension Launcher {
    fileprivate init(_ value: ManifestValue, of app: AppManifest) throws(ManifestError) {
        var object = try value.object()
        name = try object.optional("name")?.string() ?? app.name
        about = try object.optional("description")?.string(atMost: 4096) ?? ""
        icon = try object.optional("icon")?.iconPath()
        formFactors = try object.formFactors()
        if let component = object.optional("component") {
            target = .component(try app.existing(component).entryPoint)
        } else {
            var command = try object.required("startCmd").object()
            let name = try command.required("cmd").name()
            let parameters = try command.optional("params")?.array().map(\.json) ?? []
            target = .command(StartCommand(name, parameters))
            command.done()
        }
        object.done()
    }
}

extension LauncherFolder {
    fileprivate init(_ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        storage = try object.required("appStorage").word()
        path = try object.required("launchersFolder").storagePath()
        formFactors = try object.formFactors()
        object.done()
    }
}

extension ExposedResource {
    fileprivate init(_ name: String, _ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        self.name = name
        allowed = try object.required("allow").callers()
        storage = try object.required("appStorage").word()
        path = try object.required("path").storagePath()
        kind = try object.required("itemType").word()
        initialValue = try object.optional("initValueSrc")?.iconPath()
        object.done()
    }
}

extension ManifestValue {
    /// A file of the app that manifests also name without the slash.
    func iconPath() throws(ManifestError) -> PackPath {
        let text = try string(atMost: PackPath.byteLimit)
        guard let path = PackPath(text.hasPrefix("/") ? text : "/" + text) else {
            throw error("'\(text)' is not the path of a file in the app")
        }
        return path
    }

    /// A path in the app's storage, from its root on.
    fileprivate func storagePath() throws(ManifestError) -> String { try iconPath().text }

    func callers() throws(ManifestError) -> AllowedCallers {
        var object = try self.object()
        var callers = AllowedCallers()
        if let list = object.optional("thisAppComponents") {
            callers.components = try list.list { (value) throws(ManifestError) in try value.packPath() }
        }
        if let list = object.optional("otherApps") {
            callers.otherApps = try list.list { (value) throws(ManifestError) in try value.domain() }
        }
        object.done()
        return callers
    }

    private func list<Element>(
        of element: (ManifestValue) throws(ManifestError) -> Element
    ) throws(ManifestError) -> AllowedCallers.List<Element> {
        if json == .string("*") { return .all }
        return .only(Set(try array().map(element)))
    }
}
