extension IndexedNote {
    /// What the index keeps of it, in the form in which it is read back.
    var limited: IndexedNote {
        var note = self
        note.title = title.kept(IndexLimits.title)
        note.preview = preview.kept(IndexLimits.preview)
        if text.utf8.count > IndexLimits.text {
            note.text = String(decoding: text.utf8.prefix(IndexLimits.text), as: UTF8.self)
        }
        var seen: Set<String> = []
        note.tags = tags.prefix(IndexLimits.items).map { $0.lowercased() }.filter { seen.insert($0).inserted }
        note.links = Set(links.prefix(IndexLimits.items)).sorted()
        note.tasks = Array(tasks.prefix(IndexLimits.items))
        note.threads = Array(threads.prefix(IndexLimits.items))
        return note
    }
}

extension String {
    fileprivate func kept(_ characters: Int) -> String {
        // Most are short, and counting bytes costs nothing.
        utf8.count <= characters ? self : String(prefix(characters))
    }
}
