import Testing

@testable import NoteFiles
