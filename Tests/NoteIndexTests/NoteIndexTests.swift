import Testing

@testable import NoteIndex
