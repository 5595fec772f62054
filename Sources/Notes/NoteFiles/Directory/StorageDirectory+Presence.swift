internal import Storage
internal import Wire

extension StorageDirectory {
    private static let presenceLimit = 10_000

    /// Everyone who has written here and said who they are; what cannot be read is a problem of its own.
    package func presences() throws(NoteFilesError) -> (presences: [Presence], problems: [FileProblem]) {
        var presences: [Presence] = []
        var problems: [FileProblem] = []
        var folder = try root()
        var names: [String] = []
        do throws(FileError) {
            folder = try folder.folder("profiles")
            names = try folder.names(atMost: Self.presenceLimit)
        } catch {
            if error.code != .missing { problems.append(FileProblem(error, file: "\(path)/profiles")) }
        }
        for name in names.sorted() where !name.hasPrefix(".") && name.hasSuffix(".json") {
            let file = "\(path)/profiles/\(name)"
            do {
                presences.append(try Presence(folder.read(name, atMost: Presence.byteLimit)))
            } catch let error as FileError {
                problems.append(FileProblem(error, file: file))
            } catch {
                problems.append(FileProblem(file: file, kind: .damaged, text: "\(error)"))
            }
        }
        return (presences, problems)
    }
}
