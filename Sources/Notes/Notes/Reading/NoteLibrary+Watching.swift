internal import NoteFiles
internal import Storage

extension NoteLibrary {
    /// Reads everything, and then what changes, until the library is closed.
    func startWatching() {
        tell(.catchingUp(remaining: 0))
        watching = Task { [weak self, path] in
            do {
                // Before the first look, so that nothing falls between the two.
                let watch = try await Self.watch(path)
                await self?.begin()
                for await paths in watch.changes {
                    guard let self else { return }
                    await self.take(paths)
                }
            } catch {
                await self?.tell(.problem(NoteFailure(error)))
            }
        }
    }

    /// The first look. If it fails it is tried again, and what changes is read all the same.
    private func begin() async {
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
    private static func watch(_ path: String) async throws -> FolderWatch {
        try FolderWatch([
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
