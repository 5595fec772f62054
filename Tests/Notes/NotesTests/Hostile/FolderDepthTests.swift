import RichText
import Testing

@testable import CRDTBridge
@testable import Notes

/// Trees of folders that only somebody who means no good makes.
@Suite("Trees of folders")
struct FolderDepthTests {
    private func tree(_ folders: [(id: String, parent: String?)]) -> FolderTree {
        FolderTree(
            folders.compactMap { folder in
                var fields = ["id": RichText.Value.string(folder.id), "name": .string(folder.id)]
                fields["parentId"] = folder.parent.map { .string($0) }
                return Folder(fields)
            })
    }

    private func depth(_ folders: [NoteFolder]) -> Int {
        var (depth, level) = (0, folders)
        while !level.isEmpty { (depth, level) = (depth + 1, level.flatMap(\.folders)) }
        return depth
    }

    private func count(_ folders: [NoteFolder]) -> Int {
        var (count, waiting) = (0, folders)
        while let next = waiting.popLast() { (count, waiting) = (count + 1, waiting + next.folders) }
        return count
    }

    @Test("a chain of twenty thousand folders is shown, and is not deep")
    func chain() {
        let tree = tree((0..<20_000).map { ("\($0)", $0 == 0 ? nil : "\($0 - 1)") })
        let all = NoteFolder.all(in: tree)
        #expect(all.map(\.id) == ["0"])
        #expect(depth(all) == NoteFolder.depthLimit)
        #expect(count(all) == 20_000)
        #expect(tree["0"].map { NoteFolder($0, in: tree) } == all.first)
    }

    @Test("circles and repeated ids are shown once, or not at all")
    func circles() {
        let all = NoteFolder.all(
            in: tree([("a", nil), ("b", "a"), ("b", "a"), ("a", "b"), ("c", "d"), ("d", "c"), ("e", "e"), ("f", "b")]))
        #expect(depth(all) <= 3)
        #expect(Set(all.map(\.id)).isSubset(of: ["a"]))
    }
}
