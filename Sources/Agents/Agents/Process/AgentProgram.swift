internal import Errors
internal import Platform

/// A program that is an agent: what a person gave to be started.
package struct AgentProgram: Sendable, Hashable {
    /// Its path, or its name in `PATH`, then its arguments.
    package var words: [String]
    /// Where it starts and works; an absolute path.
    package var folder: String
    /// Variables that it gets beside the usual ones.
    package var variables: AgentVariables?

    /// Whether it may show something on the person's screen, as a browser: it gets the variables that this takes.
    package var showsWindows = false

    /// What it is confined by; nil: it has all rights of the person.
    package var sandbox: AgentWall?

    package init(
        _ words: [String], folder: String, variables: AgentVariables? = nil, sandbox: AgentWall? = nil
    ) {
        (self.words, self.variables, self.sandbox) = (words, variables, sandbox)
        // Behind the wall are no links to it.
        self.folder = sandbox == nil ? folder : AgentWall.real(folder) ?? folder
    }

    /// What it is called in errors.
    var name: String { words.first ?? "" }

    /// The variables of this process that an agent gets. All others stay here, because they may hold keys that are none of its business.
    static let inherited = [
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    ]

    /// Those that lead to the screen.
    private static let ofScreen = [
        "BROWSER", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
    ]

    /// Its environment, `NAME=value` each.
    var environment: [String] {
        var all: [String: String] = [:]
        for name in Self.inherited + (showsWindows ? Self.ofScreen : []) {
            if let value = getenv(name) { all[name] = String(cString: value) }
        }
        return all.merging(variables?.values ?? [:]) { $1 }.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// How it is started: on Linux without core dumps, with a bounded number of open files, and so that the kernel ends it if this process dies
    /// without a word.
    func command() throws(AgentError) -> [String] {
        guard let path = resolved else {
            throw AgentError(.cannotStart, "there is no program \(name), or it may not be run")
        }
        var isFolder = stat()
        guard folder.utf8.first == UInt8(ascii: "/"), stat(folder, &isFolder) == 0, isFolder.st_mode & S_IFMT == S_IFDIR
        else { throw AgentError(.cannotStart, "\(folder) is no folder") }
        let wall = try sandbox?.words(around: folder, for: path) ?? []
        return try Self.bounds() + wall + [path] + words.dropFirst()
    }

    /// What stands before any command. One that cannot be bounded is not started: nobody would see that it is not.
    /// - Parameter tools: where the programs are that do it.
    static func bounds(tools: String = "/usr/bin") throws(AgentError) -> [String] {
        #if os(Linux)
        let limits = ["\(tools)/prlimit", "--core=0:0", "--nofile=\(openFiles):\(openFiles)", "--"]
        let death = ["\(tools)/setpriv", "--pdeathsig", "KILL", "--"]
        for tool in [limits[0], death[0]] where access(tool, X_OK) != 0 {
            throw AgentError(
                .cannotStart, "agents are started within limits, and \(tool) was not found: install util-linux")
        }
        return limits + death
        #else
        return []
        #endif
    }

    /// Files that it may have open.
    static let openFiles = 4096

    private var resolved: String? {
        if name.utf8.contains(UInt8(ascii: "/")) {
            let path = name.utf8.first == UInt8(ascii: "/") ? name : "\(folder)/\(name)"
            return access(path, X_OK) == 0 ? path : nil
        }
        let paths = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return name.isEmpty
            ? nil
            : paths.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
