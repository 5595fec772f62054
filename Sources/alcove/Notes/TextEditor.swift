import Foundation

/// The person's own editor: `$VISUAL`, else `$EDITOR`, else `vi`.
struct TextEditor {
    private let command: String

    init() throws(CommandFailure) {
        let environment = ProcessInfo.processInfo.environment
        let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let command = named ?? (isatty(STDIN_FILENO) == 1 ? "vi" : nil) else {
            throw CommandFailure("there is no editor: set EDITOR, for example EDITOR=nano", .configuration)
        }
        self.command = command
    }

    /// What is being edited: a file that only its owner may read.
    struct Draft {
        let path: String

        /// Bytes.
        private static let limit = 64 << 20

        init(_ text: String) throws(CommandFailure) {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("alcove-\(UUID().uuidString)")
            path = folder.appendingPathComponent("note.md").path
            let isMade =
                (try? FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])) != nil
                && FileManager.default.createFile(
                    atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            if !isMade { throw CommandFailure("cannot write \(path): is the disk full?", .cannotCreate) }
        }

        func text() throws(CommandFailure) -> String {
            let bytes = try ByteInput(path).readAll(atMost: Self.limit)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CommandFailure("what the editor saved is not UTF-8 text; it is in \(path)", .dataError)
            }
            return text
        }

        func discard() {
            try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
        }
    }

    /// Waits until the person has closed the editor.
    func edit(_ draft: Draft) async throws(CommandFailure) {
        // Control-C is for the editor as long as it runs.
        let before = [SIGINT, SIGQUIT].map { (number: $0, action: signal($0, SIG_IGN)) }
        defer { for old in before { signal(old.number, old.action) } }
        let status = await run(on: draft.path)
        guard status == 0 else {
            throw CommandFailure(
                "the editor \"\(command)\" ended with \(status); the draft is in \(draft.path)", .temporaryFailure)
        }
    }

    private func run(on path: String) async -> Int32 {
        await withCheckedContinuation { ended in
            // It stays in this process group, so that it may read the terminal; waiting for it takes a thread.
            Thread.detachNewThread {
                ended.resume(returning: Self.spawn(["/bin/sh", "-c", "\(command) \"$1\"", "sh", path]))
            }
        }
    }

    /// - Returns: the exit status, or 127 if it could not be started.
    private static func spawn(_ words: [String]) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var restored = none
        for number in [SIGINT, SIGQUIT] { sigaddset(&restored, number) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &restored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var child: pid_t = 0
        guard posix_spawn(&child, words[0], nil, &attributes, &arguments, environ) == 0 else { return 127 }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return 127 } }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}
