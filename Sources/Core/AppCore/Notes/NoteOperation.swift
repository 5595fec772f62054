/// A change to a note that is not one of its text. To do it twice is to do it once.
///
/// JSON: `{"type":"rename","title":…}`, `{"type":"move","folder":…}`, `{"type":"pin","on":…}`, `{"type":"delete"}`,
/// `{"type":"restore"}`, `{"type":"purge"}`.
package enum NoteOperation: Sendable, Hashable, Tagged {
    case rename(title: String)
    /// Without `folder` to the top.
    case move(folder: FolderID?)
    case pin(on: Bool)
    /// Into the trash.
    case delete
    case restore
    /// For good; only from the trash.
    case purge
}

/// A change to a folder. To do it twice is to do it once.
///
/// JSON: `{"type":"create","name":…,"parent":…}`, `{"type":"rename","name":…}`, `{"type":"move","parent":…}`,
/// `{"type":"delete","mode":…}`.
package enum FolderOperation: Sendable, Hashable, Tagged {
    case create(name: String, parent: FolderID?)
    case rename(name: String)
    case move(parent: FolderID?)
    case delete(mode: FolderRemoval)
}
