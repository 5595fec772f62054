extension Presentation {
    /// A copy of the profile to take away, and the way back for one.
    var archiveNodes: [SemanticNode] { [exportNode, restoreNode] }

    private var exportNode: SemanticNode {
        let archive = view.archive
        let isBusy = pendingEffects.contains { if case .exportProfile = $0 { true } else { false } }
        var children: [SemanticNode] = [
            .toggle(
                "settings.export.files", isOn: archive.hasFiles, .app(.setArchiveFiles(on: !archive.hasFiles))),
            SemanticNode(
                .secretField, "settings.export.passphrase", isEnabled: !state.isArchiving, isBusy: isBusy,
                offers: [Offer(.setSecret, .app(.exportProfile(passphrase: "-")), inputs: ["passphrase": .secret])]),
        ]
        if let exported = archive.exported { children.append(.file("settings.export.done", exported)) }
        return SemanticNode(.section, "settings.export", detail: "settings.export.about", children)
    }

    /// Also a step of the first minute.
    var restoreNode: SemanticNode {
        let canRestore = state.holdsNothing && !state.isArchiving
        let isBusy = pendingEffects.contains { if case .restoreProfile = $0 { true } else { false } }
        return SemanticNode(
            .button, "settings.restore",
            detail: state.holdsNothing ? "settings.restore.about" : "failure.profile_not_empty",
            isEnabled: canRestore, isBusy: isBusy,
            offers: [
                Offer(
                    .attach, .app(.restoreProfile(handle: "", passphrase: "-")),
                    inputs: ["handle": .file, "passphrase": .secret])
            ])
    }
}

extension SemanticNode {
    /// A file that can be saved.
    static func file(_ id: String, _ file: ExportedFile) -> SemanticNode {
        var node = SemanticNode(.status, id, .key(id, ["bytes": .bytes(file.bytes)]))
        node.facts.bytes = file.bytes
        node.facts.archive = Facts.Archive(handle: file.handle, name: file.name)
        return node
    }
}
