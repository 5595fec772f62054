#if os(Linux)
internal import Components
internal import Platform

/// How the sandbox around a component is built: by bubblewrap, in name spaces of its own, with nothing in them but the
/// program and the libraries that it needs.
struct ComponentWall: Sendable {
    private let tool: String
    private let program: String
    /// Absolute paths; they have the same inside.
    private let libraries: [String]

    /// - Parameter program: `alcove-component`.
    init(program: String) throws(ComponentError) {
        guard let tool = Bubblewrap.path else {
            throw ComponentError(
                .unavailable,
                "bubblewrap isolates apps, and bwrap was not found: install bubblewrap")
        }
        guard access(program, X_OK) == 0 else {
            throw ComponentError(
                .unavailable,
                "there is no program \(program): install alcove-component beside alcove, or name it in ALCOVE_COMPONENT"
            )
        }
        self.tool = tool
        self.program = program
        let lines = try Spawn.output(of: [program, "--libraries"]).split(separator: "\n").map(String.init)
        libraries = lines.filter { $0.hasPrefix("/") }
        guard !libraries.isEmpty else {
            throw ComponentError(
                .unavailable, "\(program) does not name its libraries: install one of the same version")
        }
    }

    var words: [String] {
        var words =
            [tool] + Bubblewrap.isolation + ["--as-pid-1", "--clearenv", "--info-fd", String(Spawn.report)]
        for (name, value) in Self.environment { words += ["--setenv", name, value] }
        for path in libraries + [program] { words += ["--ro-bind", path, path] }
        // Where the engine takes chance from.
        words += ["--dev-bind", "/dev/urandom", "/dev/urandom", "--remount-ro", "/", "--chdir", "/", "--", program]
        return words
    }

    /// What scripts may know of the environment: the time zone. And where the libraries are.
    private static var environment: [(String, String)] {
        var variables: [(String, String)] = []
        if let zone = getenv("TZ").map({ String(cString: $0) }) ?? localZone { variables.append(("TZ", zone)) }
        if let path = getenv("LD_LIBRARY_PATH") { variables.append(("LD_LIBRARY_PATH", String(cString: path))) }
        return variables
    }

    /// `Europe/Berlin`, as the system's link says.
    private static var localZone: String? {
        guard let path = realpath("/etc/localtime", nil) else { return nil }
        defer { free(path) }
        let text = String(cString: path)
        guard let range = text.firstRange(of: "/zoneinfo/") else { return nil }
        return String(text[range.upperBound...])
    }
}
#endif
