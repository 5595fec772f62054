/// How another program is started. It inherits nothing from this process but what it is given.
package struct ProgramStart {
    /// What one of the program's descriptors is.
    package enum Stream {
        /// A copy of a descriptor of this process.
        case descriptor(Int32)
        /// A file that the program opens for reading and writing as it starts: `/dev/null`, or a terminal.
        case file(String)
    }

    /// Standard input, output and error of this process, for a program that a person uses in the same terminal.
    package static let ownStreams: [Int32: Stream] = [0: .descriptor(0), 1: .descriptor(1), 2: .descriptor(2)]

    /// Whether a control-C for this process also reaches the program.
    package enum Group {
        /// It stays in the process group of this process.
        case inherited
        /// It gets its own process group.
        case own
        /// It gets its own session, whose terminal is the first one that it opens.
        case session
    }

    /// Its path (or its name if ``isSearched``), then its arguments.
    package var words: [String]
    /// `NAME=value` each; nil: the variables of this process.
    package var environment: [String]?
    /// Its descriptors by number. It has no others, and 0 to 2 are `/dev/null` unless they are given.
    package var streams: [Int32: Stream] = [:]
    package var group = Group.inherited
    /// The folder in which it starts; nil: that of this process.
    package var folder: String?
    /// Whether the name is looked up in `PATH`.
    package var isSearched = false

    package init(_ words: [String]) { self.words = words }

    /// Replaces this process by a program, which gets the number of the process, its variables and its first three descriptors. Signals mean there
    /// what they do for any program.
    /// - Parameters:
    ///   - words: its path, then its arguments.
    ///   - descriptor: another one that it gets, under the same number.
    /// - Returns: why it was not replaced.
    package static func replaceThisProcess(with words: [String], keeping descriptor: Int32?) -> Int32 {
        for number in 3..<Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 1 << 20)) where number != descriptor {
            let flags = fcntl(number, F_GETFD)
            if flags >= 0 { _ = fcntl(number, F_SETFD, flags | FD_CLOEXEC) }
        }
        for number in 1..<Int32(32) { _ = signal(number, SIG_DFL) }
        var signals = sigset_t()
        sigemptyset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        execv(words.first ?? "", &arguments)
        return errno
    }

    /// Starts it. Signals that this process blocks or ignores are not blocked or ignored there.
    /// - Returns: its number, or why it does not start.
    package func start() -> (process: pid_t, error: Int32) {
        #if canImport(Darwin)
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
        #else
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        let all = [0: Stream.file("/dev/null"), 1: .file("/dev/null"), 2: .file("/dev/null")].merging(streams) { $1 }
        // This process's descriptors are first moved away from the numbers that the program gets.
        var moved: [Int32] = []
        defer { for descriptor in moved { close(descriptor) } }
        for (number, stream) in all.sorted(by: { $0.key < $1.key }) {
            switch stream {
            case .file(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
            case .descriptor(let own):
                let high = fcntl(own, F_DUPFD_CLOEXEC, 10)
                guard high >= 0 else { return (0, errno) }
                moved.append(high)
                posix_spawn_file_actions_adddup2(&actions, high, number)
            }
        }
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        if group == .own { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
        if group == .session { flags |= Int32(POSIX_SPAWN_SETSID) }
        #if canImport(Darwin)
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
        posix_spawn_file_actions_addclosefrom_np(&actions, (all.keys.max() ?? 2) + 1)
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments = words.map { strdup($0) } + [nil]
        var variables = (environment ?? []).map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        #if canImport(Darwin)
        let environ = _NSGetEnviron().pointee
        #endif
        var process: pid_t = 0
        let start = isSearched ? posix_spawnp : posix_spawn
        let error =
            if environment == nil {
                start(&process, words.first ?? "", &actions, &attributes, &arguments, environ)
            } else {
                start(&process, words.first ?? "", &actions, &attributes, &arguments, &variables)
            }
        return (process, error)
    }
}
