internal import Storage
internal import Wire

extension StorageDirectory {
    private static let presenceLimit = 10_000

    /// Everyone who has written here and said who they are; what cannot be read is a problem of its own.
    public func presences() throws(NoteFilesError) -> (presences: [Presence], problems: [FileProblem]) {
        var presences: [Presence] = []
        var problems: [FileProblem] = []
        for name in try names(in: "profiles", atMost: Self.presenceLimit).sorted() where name.hasSuffix(".json") {
            do {
                let bytes = try Folder(path).folder("profiles").read(name, atMost: Presence.byteLimit)
                presences.append(try Presence(bytes))
            } catch let error as WireError {
                problems.append(FileProblem(file: "\(path)/profiles/\(name)", kind: .damaged, text: error.message))
            } catch {
                problems.append(FileProblem(file: "\(path)/profiles/\(name)", kind: .unreadable, text: "\(error)"))
            }
        }
        return (presences, problems)
    }
}
