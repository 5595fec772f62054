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
        if let exported = archive.exported {
            var node = SemanticNode(
                .status, "settings.export.done",
                .key("settings.export.done", ["bytes": .bytes(exported.bytes)]))
            node.facts.bytes = exported.bytes
            node.facts.archive = Facts.Archive(handle: exported.handle, name: exported.name)
            children.append(node)
        }
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
