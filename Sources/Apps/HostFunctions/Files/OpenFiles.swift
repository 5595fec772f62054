internal import Storage
internal import Synchronization

/// The files that a component has open, by the numbers that it knows them by. They are our numbers, not the system's.
final class OpenFiles: Sendable {
    struct Entry {
        let file: FileDescriptor
        let opening: ConfinedFolder.Opening
    }

    private struct State {
        var entries: [Int32: Entry] = [:]
        var last: Int32 = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Gives a file a number from 1 on.
    func add(_ entry: Entry) throws(FileError) -> Int32 {
        let number = state.withLock { state -> Int32? in
            guard state.entries.count < limit else { return nil }
            repeat { state.last = state.last == .max ? 1 : state.last + 1 } while state.entries[state.last] != nil
            state.entries[state.last] = entry
            return state.last
        }
        guard let number else { throw FileError(.failed, reason: "more than \(limit) files are open") }
        return number
    }

    func close(_ number: Int32) { _ = state.withLock { $0.entries.removeValue(forKey: number) } }

    func closeAll() { state.withLock { $0.entries = [:] } }

    subscript(number: Int32) -> Entry {
        get throws(FileError) {
            guard let entry = state.withLock({ $0.entries[number] }) else {
                throw FileError(.missing, reason: "no file is open under this number")
            }
            return entry
        }
    }

    /// A file that was opened for reading.
    func readable(_ number: Int32) throws(FileError) -> FileDescriptor {
        let entry = try self[number]
        guard entry.opening.reads else { throw FileError(.denied, reason: "the file is not open for reading") }
        return entry.file
    }

    /// A file that was opened for writing.
    func writable(_ number: Int32) throws(FileError) -> FileDescriptor {
        let entry = try self[number]
        guard entry.opening.writes else { throw FileError(.denied, reason: "the file is not open for writing") }
        return entry.file
    }
}
