internal import NoteFiles
internal import Storage

extension NoteLibrary {
    /// How long it takes at first, and at most, until a watch that could not start is tried again.
    private static let (patience, longestPatience) = (Duration.milliseconds(500), Duration.seconds(30))

    /// Reads everything, and then what changes, until the library is closed. While nothing can be watched, everything is read now and then.
    func startWatching() {
        tell(.catchingUp(remaining: 0))
        watching = Task { [weak self, path, options] in
            var pause = Self.patience
            while !Task.isCancelled {
                do {
                    // Before the first look, so that nothing falls between the two.
                    let watch = try await Self.watch(path, with: options)
                    await self?.begin(unwatched: nil)
                    for await paths in watch.changes {
                        guard let self else { return }
                        await self.take(paths)
                    }
                    return
                } catch {
                    guard await self?.begin(unwatched: NoteFailure(error)) != nil else { return }
                }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, Self.longestPatience)
            }
        }
    }

    /// The first look. If it fails it is tried again, and what changes is read all the same.
    /// - Parameter problem: why what changes will not be noticed.
    private func begin(unwatched problem: NoteFailure?) async {
        missing["watch"] = problem
        do throws(NoteFailure) {
            try await catchUp()
        } catch {
            tellAndTryAgain(error)
        }
    }

    private func tellAndTryAgain(_ failure: NoteFailure) {
        guard failure.code != .closed else { return }
        tell(.problem(failure))
        catchUpLater()
    }

    /// Looking through many folders takes a while, so not on the thread of the documents.
    @concurrent
    private static func watch(_ path: String, with options: Options) async throws -> FolderWatch {
        try options.watch([
            WatchedFolder("\(path)/notes", depth: 2), WatchedFolder("\(path)/folders", depth: 1),
            WatchedFolder("\(path)/activity"), WatchedFolder("\(path)/deleted"), WatchedFolder("\(path)/profiles"),
        ])
    }

    /// Takes in what changed at these paths.
    private func take(_ paths: Set<String>) async {
        var notes: Set<NoteID> = []
        var others: Set<Substring> = []
        for path in paths {
            let steps = path.dropFirst(self.path.count).split(separator: "/")
            guard let first = steps.first else { continue }
            if first == "notes", steps.count > 1, let note = try? NoteID(steps[1]) {
                notes.insert(note)
            } else {
                others.insert(first)
            }
        }
        do throws(NoteFailure) {
            try checkOpen()
            if others.contains("profiles") {
                unnamed = []
                readPeople()
            }
            if others.contains("deleted") { readDeletions(isNoticed: true) }
            if others.contains("folders") {
                doWithout("folders") { () throws(NoteFailure) in try readFolders() }
            }
            try await bringUpToDate(Array(notes))
            tell(settled)
        } catch {
            tellAndTryAgain(error)
        }
    }
}
