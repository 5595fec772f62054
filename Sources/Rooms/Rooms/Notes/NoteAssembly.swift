/// Joins the parts of an update or state vector. Only one is in progress at a time; pictures have an assembly of their own.
struct NoteAssembly {
    private var whole: NoteFrame.Part?

    struct Stray: Error {}

    /// - Returns: the whole, once its last part has arrived.
    /// - Throws: ``Stray`` if the part continues nothing.
    mutating func add(_ part: NoteFrame.Part) throws(Stray) -> NoteFrame.Part? {
        if part.offset == 0 {
            whole = part
        } else if continues(part) {
            whole?.bytes.append(contentsOf: part.bytes)
        } else {
            whole = nil
            throw Stray()
        }
        guard let ready = whole, ready.bytes.count == ready.total else { return nil }
        whole = nil
        return ready
    }

    private func continues(_ part: NoteFrame.Part) -> Bool {
        guard let whole else { return false }
        return whole.note == part.note && whole.kind == part.kind && whole.picture == part.picture
            && whole.total == part.total
            && whole.bytes.count == part.offset && !part.bytes.isEmpty
    }

    mutating func clear() { whole = nil }
}
