extension AppComponent {
    /// A component of the general form.
    init(entryPoint: PackPath, _ value: ManifestValue, of app: AppDomain) throws(ManifestError) {
        var object = try value.object()
        let runtime = try object.required("runtime")
        self.init(entryPoint: entryPoint, runtime: try runtime.word())
        if !self.runtime.isSupported { runtime.warn("nothing here runs it yet") }
        try readCommon(from: &object, of: app)
        formFactors = try object.formFactors()
        icon = try object.optional("icon")?.iconPath()
        services = try Self.callers(in: object.optional("services"))
        commands = try Self.callers(in: object.optional("startCmds"))
        allowsManyInstances = try object.flag("multiInstances")
        isForOneConnectionOnly = try object.flag("forOneConnectionOnly")
        isChildOfCaller = try object.flag("childOfGUICaller")
        object.done()
    }

    /// The component of the simple form, whose members stand beside those of the app.
    init(onlyOneOf object: inout ManifestObject, of app: AppDomain) throws(ManifestError) {
        self.init(entryPoint: .indexPage, runtime: .webGUI)
        try readCommon(from: &object, of: app)
    }

    private mutating func readCommon(from object: inout ManifestObject, of app: AppDomain) throws(ManifestError) {
        if let options = object.optional("windowOpts") { window = try WindowOptions(options) }
        if let request = object.optional("capsRequested") {
            requested = try RequestReader(app: app, runtime: runtime).read(request)
        }
        sharedLibraries = try object.optional("sharedLibs")?.array().map(SharedLibrary.init) ?? []
    }

    private static func callers(in map: ManifestValue?) throws(ManifestError) -> [String: AllowedCallers] {
        var callers: [String: AllowedCallers] = [:]
        for entry in try map?.map() ?? [] { callers[try entry.name.name()] = try entry.value.callers() }
        return callers
    }
}

extension SharedLibrary {
    fileprivate init(_ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        domain = try object.required("libDomain").domain()
        var version = try object.required("version").object()
        hash = try version.required("hash").name()
        algorithm = try version.required("alg").name()
        version.done()
        object.done()
    }
}

extension WindowOptions {
    fileprivate init(_ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        for measure in Measure.allCases { measures[measure] = try object.optional(measure.rawValue)?.measure() }
        for flag in Flag.allCases { flags[flag] = try object.optional(flag.rawValue)?.bool() }
        object.done()
    }
}
