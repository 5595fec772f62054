/// Files that rest because one side wants it. Each side decides for itself, and keeps that; a file moves while neither side has paused it.
extension Conversation {
    /// Lets a file rest, in either direction. Bytes that are on their way still arrive.
    func pauseFile(_ id: MessageID) throws {
        guard var file = try store.file(id, room: room), file.end == nil, file.isPaused != true else { return }
        file.isPaused = true
        try store.save(file, room: room)
        switch file.direction {
        case .outgoing:
            wantedLater[id] = outgoing[id]?.offset
            outgoing[id] = nil
        // A side that does not know this signal goes on; then the file is whole sooner.
        case .incoming: say(.filePaused(id))
        }
    }

    /// A file goes on from where it stopped.
    func resumeFile(_ id: MessageID) throws {
        guard var file = try store.file(id, room: room), file.end == nil, file.isPaused == true else { return }
        file.isPaused = nil
        try store.save(file, room: room)
        switch file.direction {
        case .outgoing:
            if let offset = wantedLater.removeValue(forKey: id) { wanted(id, from: offset) }
        // Otherwise the next hello requests it.
        case .incoming: if isFlowing { receive(file) }
        }
    }
}
