import Testing

@testable import CRDTBridge
@testable import Notes

@Suite("Changes that take too long")
struct WritingTests {
    @Test("No file is to blame for a change of ours that takes too long, and nobody is told to move one away")
    func blame() {
        let slow = CRDTError(.unusable, "it ran for longer than 5 s")
        let failure = #expect(throws: NoteFailure.self) { try NoteFailure.writing { throw slow } }
        #expect(failure?.code == .tooLarge && failure?.message.contains("several steps") == true)
        #expect(failure?.message.contains("file") == false)
        // What a file says is another matter.
        #expect(NoteFailure(slow).message.contains("newest file"))
        #expect(throws: CRDTError.self) { try NoteFailure.writing { throw CRDTError(.misfit, "x") } }
    }
}
