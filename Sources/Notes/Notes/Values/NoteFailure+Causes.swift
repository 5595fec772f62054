internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex
internal import Storage

extension NoteFailure {
    /// Runs what may fail in any part of the notes.
    static func wrapping<Value: ~Copyable>(_ body: () throws -> Value) throws(NoteFailure) -> Value {
        do { return try body() } catch { throw NoteFailure(error) }
    }

    init(_ error: any Error) {
        self =
            switch error {
            case let failure as NoteFailure: failure
            case let error as NoteFilesError: NoteFailure(error)
            case let error as FileError: NoteFailure(error)
            case let error as NoteIndexError: NoteFailure(error)
            case let error as CRDTError: NoteFailure(error)
            case let error as DatabaseError: NoteFailure(.init(error.code), "the index of the notes: \(error.message)")
            default: NoteFailure(.failed, "\(error)")
            }
    }

    /// Writes what a person changed. If that takes too long, no file is to blame.
    static func writing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as CRDTError where error.code == .unusable {
            throw NoteFailure(
                .tooLarge,
                "this changes more at once than can be written in time: do it in several steps, or make several notes of it"
            )
        }
    }

    /// Whether it will be the same until the files change.
    var isAboutFiles: Bool { [.noteUnreadable, .fileUnreadable, .tooLarge].contains(code) }

    /// With the place in the directory, if it is about files and does not name it.
    func about(_ document: DocumentID) -> NoteFailure {
        guard isAboutFiles, !message.contains("\(document)") else { return self }
        return NoteFailure(code, "\(document): \(message)")
    }

    private init(_ error: NoteFilesError) {
        let code: Code =
            switch error.code {
            case .invalidName: .badRequest
            case .missing: .noteUnknown
            case .readOnly, .locked, .tooNew, .busy: .directoryUnwritable
            case .full: .diskFull
            case .tooLarge: .tooLarge
            case .damaged: .fileUnreadable
            case .failed: .failed
            }
        self.init(code, error.message)
    }

    private init(_ error: FileError) {
        let code: Code =
            switch error.code {
            case .full: .diskFull
            case .denied, .missing, .damaged, .notFile, .isDirectory, .notDirectory: .fileUnreadable
            case .tooLong: .tooLarge
            default: .failed
            }
        self.init(code, error.message)
    }

    private init(_ error: CRDTError) {
        let code: Code =
            switch error.code {
            case .damagedUpdate, .tooDeep, .unusable: .noteUnreadable
            case .tooLarge: .tooLarge
            case .wouldBeCycle: .folderCycle
            case .notFound: .commentUnknown
            case .misfit, .notLoaded, .failed: .failed
            }
        let advice =
            switch error.code {
            case .tooDeep: ": take its blocks out of each other in the program that wrote it"
            case .unusable: ": move its newest file away, and get it again from where it was written"
            default: ""
            }
        self.init(code, error.message + advice)
    }

    private init(_ error: NoteIndexError) {
        switch error {
        case .startedAnew: self.init(.failed, "\(error)")
        case .failed(let cause): self.init(.init(cause.code), "\(error)")
        }
    }
}

extension NoteFailure.Code {
    fileprivate init(_ code: DatabaseError.Code) {
        self = code == .full ? .diskFull : .failed
    }
}
