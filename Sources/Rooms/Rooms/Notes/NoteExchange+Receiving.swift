/// Receiving. Any bytes are safe; unexpected frames are dropped and counted.
extension NoteExchange {
    private static let started = ContinuousClock.now
    /// Milliseconds of a clock that nobody sets.
    static var now: Int64 { Int64(started.duration(to: .now) / .milliseconds(1)) }

    /// - Parameter now: milliseconds of any clock.
    mutating func received(_ bytes: [UInt8], at now: Int64 = Self.now) {
        guard let frame = try? NoteFrame(bytes: bytes), take(frame, at: now) else {
            counts.dropped += 1
            return
        }
    }

    /// - Returns: false if it was dropped.
    private mutating func take(_ frame: NoteFrame, at now: Int64) -> Bool {
        switch frame {
        case .begin:
            hasHeard = false
            listing = [:]
            forgetIncoming()
        case .offer(let note): return offered(note)
        case .listed where !hasHeard: listed()
        case .stopped(let note) where hasHeard: return stopped(note)
        case .wanted(let note) where isLive(note): wantStateVector(of: note)
        case .part(let part) where isLive(part.note):
            return part.kind == .picture ? assemble(picture: part) : assemble(part)
        case .pictureWanted(let picture) where isLive(picture.note):
            guard pictures.ask(picture) else { return false }
            report.yield(.notePictureWanted(room: room, picture))
        case .cursor(let cursor) where isLive(cursor.note):
            guard intake.takesCursor(at: now) else { return false }
            report.yield(.noteCursor(room: room, cursor))
        case .unknown: break
        default: return false
        }
        return true
    }

    private mutating func offered(_ note: SharedNote) -> Bool {
        let known = hasHeard ? theirs : listing
        guard known[note.id] != nil || known.count < NoteLimits.notes, !intake.refused.contains(note.id) else {
            return false
        }
        guard hasHeard else {
            listing[note.id] = note
            return true
        }
        let isNew = theirs[note.id] == nil
        guard show(note) else { return false }
        if isNew { wantStateVector(of: note.id) }
        return true
    }

    /// - Returns: false if the other side has offered too much.
    private mutating func show(_ note: SharedNote) -> Bool {
        guard theirs[note.id] != note else { return true }
        guard intake.takesOffer() else { return false }
        theirs[note.id] = note
        report.yield(.noteOffered(room: room, note))
        return true
    }

    /// Notes that it shared before and does not list now are no longer shared.
    private mutating func listed() {
        hasHeard = true
        for note in theirs.keys.sorted() where listing[note] == nil { _ = stopped(note) }
        for note in listing.values.sorted(by: { $0.id < $1.id }) where !show(note) { counts.dropped += 1 }
        listing = [:]
        open()
    }

    private mutating func stopped(_ note: String) -> Bool {
        guard theirs.removeValue(forKey: note) != nil else { return false }
        forget(note)
        if answering == note { held = nil }
        assembly.clear()
        report.yield(.noteStopped(room: room, note: note))
        return true
    }

    private mutating func assemble(_ part: NoteFrame.Part) -> Bool {
        let whole: NoteFrame.Part?
        do throws(NoteAssembly.Stray) {
            whole = try assembly.add(part)
        } catch {
            return false
        }
        guard let whole else { return true }
        return whole.kind == .stateVector ? keep(vector: whole) : deliver(whole)
    }

    private mutating func assemble(picture part: NoteFrame.Part) -> Bool {
        do throws(NoteAssembly.Stray) {
            guard let (picture, bytes) = try pictures.add(part) else { return true }
            intake.takesPicture(bytes: bytes.count)
            report.yield(.notePicture(room: room, picture, bytes: bytes))
            return true
        } catch {
            return false
        }
    }

    /// Only the newest counts.
    private mutating func keep(vector: NoteFrame.Part) -> Bool {
        vectors.removeAll { $0.note == vector.note }
        guard vectors.reduce(vector.total, { $0 + $1.bytes.count }) <= NoteLimits.vectors else {
            // It is asked for again.
            behind.insert(vector.note)
            return false
        }
        vectors.append((vector.note, vector.bytes))
        return true
    }

    private mutating func deliver(_ update: NoteFrame.Part) -> Bool {
        let waiting = report.noteBytes(room)
        guard waiting == 0 || waiting + update.total <= NoteLimits.waiting else {
            lost.insert(update.note)
            return false
        }
        guard intake.takesUpdate(of: update.note, bytes: update.total) else {
            _ = stopped(update.note)
            queue.append(.stopped(update.note))
            return false
        }
        counts.received += 1
        report.yield(.noteUpdate(room: room, note: update.note, bytes: update.bytes))
        return true
    }

    /// Requests lost updates, once the owner has taken all others.
    /// - Returns: whether to try again later.
    mutating func recover() -> Bool {
        guard !lost.isEmpty, report.noteBytes(room) == 0 else { return !lost.isEmpty }
        for note in lost.sorted() { wantStateVector(of: note) }
        lost = []
        return false
    }
}
