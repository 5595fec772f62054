internal import Components
internal import Storage

/// The observable functions: watching, and searching.
extension StorageCalls {
    /// Tells what happens in a folder, and in those below it, until it is gone or there is no listener any more.
    func watch(
        _ location: Location, depth: Int, tellsContents: Bool, _ call: ServiceCall, _ emitter: ValueEmitter
    ) async throws(RuntimeException) {
        try await countingAsWatch(location, call) { () async throws(RuntimeException) in
            try await watch(location, depth: depth, tellsContents: tellsContents, emitter)
        }
    }

    private func watch(
        _ location: Location, depth: Int, tellsContents: Bool, _ emitter: ValueEmitter
    ) async throws(RuntimeException) {
        let depth = min(depth, root.limits.depth)
        var (changes, tree) = try await root.run(on: root.readingQueue) { [root] in
            _ = try root.tree.openFolder(location)
            // Notifications first, so that nothing is missed in between.
            let changes = try self.changes(in: location.path, depth: depth, at: location)
            let tree = try TreeWatch(
                of: location, in: root.tree, at: root.path, depth: depth, tellsContents: tellsContents)
            return (changes, tree)
        }
        let kept = root.keep(changes)
        defer { kept.close() }
        for await paths in changes.changes {
            let (events, next) = try await root.run(on: root.readingQueue) { [tree] in
                var tree = tree
                let events = try tree.events(after: paths)
                return (events, tree)
            }
            tree = next
            for event in events {
                try root.checkOpen()
                try await emitter.emit(event.encoded)
            }
            if case .removed = events.last { return }
        }
        // There is no listener any more, or the permission was taken back, which is told.
        if !Task.isCancelled { try await root.run(on: root.readingQueue) {} }
    }

    /// Tells when a file has another content, until it is gone or there is no listener any more.
    func watchFile(
        _ location: Location, _ call: ServiceCall, _ emitter: ValueEmitter
    ) async throws(RuntimeException) {
        try await countingAsWatch(location, call) { () async throws(RuntimeException) in
            try await watchFile(location, emitter)
        }
    }

    private func watchFile(_ location: Location, _ emitter: ValueEmitter) async throws(RuntimeException) {
        var (changes, known) = try await root.run(on: root.readingQueue) { [root] in
            _ = try root.tree.open(location)
            let changes = try self.changes(in: location.path.parent, depth: 0, at: location)
            return (changes, try root.tree.status(location))
        }
        let kept = root.keep(changes)
        defer { kept.close() }
        for await _ in changes.changes {
            let (status, version) = try await root.run(on: root.readingQueue) { [root] in
                (try root.tree.status(location), try? root.tree.version(of: location))
            }
            guard let status, status.kind == .file else {
                return try await emitter.emit(StorageEvent.removed(location.shown).encoded)
            }
            if status.isSameContent(as: known) { continue }
            known = status
            try root.checkOpen()
            try await emitter.emit(StorageEvent.fileChange(location.shown, version: version).encoded)
        }
        // There is no listener any more, or the permission was taken back, which is told.
        if !Task.isCancelled { try await root.run(on: root.readingQueue) {} }
    }

    /// Counts until the work is done or there is no listener any more: a component that cancels a watch may begin another one at once.
    private func countingAsWatch(
        _ location: Location, _ call: ServiceCall, _ work: () async throws(RuntimeException) -> Void
    ) async throws(RuntimeException) {
        let opening = try root.openings.open(.watch, by: call.connection, at: location)
        defer { opening.close() }
        let result = await withTaskCancellationHandler { () async -> Result<Void, RuntimeException> in
            do throws(RuntimeException) { return .success(try await work()) } catch { return .failure(error) }
        } onCancel: {
            opening.close()
        }
        try result.get()
    }

    private func changes(
        in path: ConfinedPath, depth: Int, at location: Location
    ) throws(RuntimeException) -> FolderWatch {
        let folder = path.steps.isEmpty ? root.path : "\(root.path)/\(path)"
        do throws(FileError) {
            return try FolderWatch([WatchedFolder(folder, depth: depth)])
        } catch {
            throw location.exception(.failed, "changes cannot be watched here")
        }
    }
}

extension FileStatus {
    /// Reading does not count.
    fileprivate func isSameContent(as other: FileStatus?) -> Bool {
        inode == other?.inode && size == other?.size && modified == other?.modified
    }
}

extension FolderView {
    var watchingFunctions: [String: ServiceFunction] {
        let calls = calls
        return [
            "watchFile": .observable { call, emitter throws(RuntimeException) in
                let request = try FsProto.PathOnlyRequestBody(of: call)
                try await calls.watchFile(self.location(request.path), call, emitter)
            },
            "watchFolder": .observable { call, emitter throws(RuntimeException) in
                let request = try FsProto.PathOnlyRequestBody(of: call)
                try await calls.watch(
                    self.location(request.path), depth: 0, tellsContents: false, call, emitter)
            },
            "watchTree": .observable { call, emitter throws(RuntimeException) in
                let request = try FsProto.WatchTreeRequestBody(of: call)
                try await calls.watch(
                    self.location(request.path), depth: request.depth.map { Int($0.value) } ?? .max,
                    tellsContents: true,
                    call, emitter)
            },
            "select": .observable { call, emitter throws(RuntimeException) in
                let search = try Search(FsProto.SelectRequestBody(of: call), in: self, memory: call.connection.memory)
                // Before there is a collection: nothing is found in what is missing.
                _ = try await self.root.run(on: self.root.readingQueue) {
                    _ = try self.root.tree.openFolder(search.location)
                }
                try await emitter.emit(call.connection.expose(search.found.object()).encoded)
                try await search.run()
            },
        ]
    }
}
