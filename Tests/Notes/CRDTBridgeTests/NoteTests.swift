import CRDTBridge
import RichText
import Testing

@Suite struct NoteTests {
    @Test func createsEditsAndReads() async throws {
        let bridge = try await CRDTBridge()
        let update = try await bridge.createNote("n", in: "sd", created: 1_700_000_000_000)
        #expect(try await bridge.tree(of: "n") == RichText([.element(.init("paragraph"))]))
        let metadata = try await bridge.metadata(of: "n")
        #expect(metadata.created == 1_700_000_000_000 && metadata.directory == "sd" && !metadata.isDeleted)
        let edit = try await bridge.edit("n", [.insert([.text([.init("a😀\n\"b", ["bold": [:]])])], at: [0, 0])])
        #expect(
            try await bridge.tree(of: "n")
                == RichText([.element(.init("paragraph", [:], [.text([.init("a😀\n\"b", ["bold": [:]])])]))]))
        #expect(try await bridge.load("m", [edit ?? [], update]) == [])
        #expect(try await bridge.tree(of: "m") == bridge.tree(of: "n"))
    }
}
