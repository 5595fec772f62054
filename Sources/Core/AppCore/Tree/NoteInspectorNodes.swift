// What is around a note, as far as the person wants to see it: comments, history, links.

extension Presentation {
    func inspectorNodes(_ id: NoteID) -> [SemanticNode] {
        let isOpen = view.notes.inspector.isOpen
        let toggle = SemanticNode.toggle("note.inspector", isOn: isOpen, .notes(.inspectNotes(on: !isOpen)))
        guard isOpen, let followed = notes.followed[id] else { return [toggle] }
        let canWrite = notes.list[id]?.deleted == false
        var nodes: [SemanticNode] = []
        if let failure = followed.failure {
            nodes.append(SemanticNode(.banner, "note.details.problem", Words(failure)))
        } else if followed.details == nil {
            nodes.append(SemanticNode(.status, "note.details", isBusy: true))
        }
        let details = followed.details ?? NoteDetails()
        nodes.append(commentSection(id, details.comments, canWrite: canWrite))
        nodes.append(historySection(id, canWrite: canWrite))
        nodes += linkList("note.backlinks", "backlink", details.backlinks.filter { $0 != id })
        nodes += linkList("note.links", "link", details.links.filter { $0 != id })
        return [toggle] + nodes.map { $0.within(.inspector) }
    }

    private func linkList(_ id: String, _ kind: String, _ links: [NoteID]) -> [SemanticNode] {
        let items = links.compactMap { notes.list[$0] }.map { note in
            SemanticNode(
                .item, "\(kind).\(note.id)", note.title.noteWords, offers: [.tap(.notes(.openNote(note: note.id)))])
        }
        return items.isEmpty ? [] : [SemanticNode(.list, id, items)]
    }

    // MARK: - History

    private func historySection(_ note: NoteID, canWrite: Bool) -> SemanticNode {
        let inspector = view.notes.inspector
        var children = [
            SemanticNode.button(
                "note.history.show", inspector.versions == nil ? "note.history.show" : "note.history.again",
                .notes(.listVersions), isEnabled: inspector.listing == nil, isBusy: inspector.listing != nil)
        ]
        if let versions = inspector.versions, !versions.isEmpty {
            let items = versions.reversed().map { version in
                let isShown = inspector.shown?.at == version.end
                return SemanticNode(
                    .item, "version.\(version.end.milliseconds)", version.words,
                    detail: .key("version.changes", ["count": .count(version.changes)]), at: version.end,
                    isSelected: isShown, offers: [.tap(.notes(.showVersion(at: isShown ? nil : version.end)))])
            }
            children.append(SemanticNode(.list, "note.versions", items))
        }
        if let shown = inspector.shown { children.append(versionSection(note, shown, canWrite: canWrite)) }
        return SemanticNode(.section, "note.history", children)
    }

    private func versionSection(_ note: NoteID, _ shown: ShownVersion, canWrite: Bool) -> SemanticNode {
        var children: [SemanticNode] = []
        if let text = shown.text {
            children.append(SemanticNode(.text, "note.version.text", value: .text(text)))
        } else {
            children.append(SemanticNode(.status, "note.version.reading", isBusy: true))
        }
        if shown.isCut { children.append(SemanticNode(.text, "note.version.cut")) }
        if shown.isAsking {
            children.append(
                SemanticNode(
                    .banner, "note.version.question",
                    [
                        .button(
                            "note.version.yes", .notes(.restoreVersion(note: note, at: shown.at)), isEnabled: canWrite),
                        .button("note.version.no", .notes(.askToRestoreVersion(on: false))),
                    ]))
        } else if shown.text != nil {
            children.append(
                .button("note.version.restore", .notes(.askToRestoreVersion(on: true)), isEnabled: canWrite))
        }
        children.append(.button("note.version.close", .notes(.showVersion(at: nil))))
        return SemanticNode(
            .section, "note.version", .key("note.version", ["time": .time(shown.at)]), children)
    }
}

extension NoteVersion {
    /// Who wrote in it.
    fileprivate var words: Words {
        authors.isEmpty ? "note.somebody" : .list(authors.map(\.personWords))
    }
}

extension String {
    /// As the name of somebody, who may not have given one.
    var personWords: Words { isEmpty ? "note.somebody" : .said(self) }
}
