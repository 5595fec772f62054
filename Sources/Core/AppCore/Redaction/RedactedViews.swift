// Views without what was typed in them. What was looked for in notes is redacted where notes are.

extension ViewState {
    var redacted: ViewState {
        var view = self
        view.createForm.name = createForm.name.redacted
        view.joinForm.name = joinForm.name.redacted
        view.joinForm.code = joinForm.code.redacted
        view.search?.query = search?.query.redacted ?? ""
        view.search?.hits = search?.hits.map(\.redacted) ?? []
        view.notes.filter = notes.filter.redacted
        view.notes.search.query = notes.search.query.redacted
        view.notes.search.results = notes.search.results.map { $0.map(\.redacted) }
        view.notes.folderForm = notes.folderForm.redacted
        view.notes.inspector = notes.inspector.redacted
        view.apps.sourceForm = apps.sourceForm.redacted
        view.apps.parametersForm = apps.parametersForm.redacted
        view.apps.bundleForm = apps.bundleForm.redacted
        view.agents = agents.redacted
        view.threads = threads?.redacted
        view.devices = devices?.redacted
        view.summary?.prompt = summary?.prompt?.shape
        view.summary?.failure = summary?.failure?.redacted
        view.archive.exported = archive.exported?.redacted
        view.archive.packed = archive.packed?.redacted
        return view
    }
}

extension ExportedFile {
    var redacted: ExportedFile { ExportedFile(handle: handle.redacted, name: name.redacted, bytes: bytes) }
}

extension MessageHit {
    var redacted: MessageHit {
        var hit = self
        hit.snippet = snippet.shape
        return hit
    }
}

extension Composers {
    var redacted: Composers { Composers(all.map(\.redacted)) }
}

extension Composer {
    var redacted: Composer { Composer(room: room, view: view, text: text.shape) }
}
