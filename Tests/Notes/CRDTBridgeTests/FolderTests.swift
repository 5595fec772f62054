import CRDTBridge
import Testing

@Suite struct FolderTests {
    /// a contains b, which contains c; d is beside a.
    private func tree() async throws -> CRDTBridge {
        let bridge = try await CRDTBridge()
        try await bridge.load("f", [])
        for (folder, parent) in [("a", nil), ("b", "a"), ("c", "b"), ("d", nil)] {
            _ = try await bridge.addFolder(folder, named: folder.uppercased(), in: parent, directory: "sd", to: "f")
        }
        return bridge
    }

    @Test func foldersInFolders() async throws {
        let bridge = try await tree()
        let folders = try await bridge.folders(of: "f")
        #expect(folders.children(of: nil).map(\.id) == ["a", "d"])
        #expect(folders.children(of: nil).map(\.order) == [0, 1])
        #expect(folders.ancestors(of: "c").map(\.id) == ["b", "a"])
        #expect(folders.descendants(of: "a").map(\.id) == ["b", "c"])
        #expect(folders["b"]?.name == "B" && folders.isVisible("c"))
    }

    @Test func movesButNotIntoItself() async throws {
        let bridge = try await tree()
        for target in ["a", "b", "c"] {
            let error = await #expect(throws: CRDTError.self) {
                try await bridge.moveFolder("a", into: target, in: "f")
            }
            #expect(error?.code == .wouldBeCycle)
        }
        #expect(try await bridge.moveFolder("b", into: "d", in: "f") != nil)
        #expect(try await bridge.moveFolder("c", into: nil, in: "f") != nil)
        #expect(try await bridge.renameFolder("c", to: "Sea", in: "f") != nil)
        let same = try await bridge.renameFolder("c", to: "Sea", in: "f")
        #expect(same == nil)
        _ = try await bridge.reorderFolder("c", to: 0, in: "f")
        let folders = try await bridge.folders(of: "f")
        #expect(folders.children(of: nil).map(\.name) == ["Sea", "A", "D"] && folders["b"]?.parent == "d")
    }

    @Test(arguments: FolderDeletionMode.allCases)
    func deletes(mode: FolderDeletionMode) async throws {
        let bridge = try await tree()
        #expect(try await bridge.deleteFolder("a", mode, in: "f") != nil)
        let folders = try await bridge.folders(of: "f")
        #expect(!folders.isVisible("a") && folders["a"]?.isDeleted == true)
        #expect(folders["b"]?.isDeleted == (mode == .cascade))
        #expect(folders.isVisible("c") == (mode == .reparent))
        #expect(folders["b"]?.parent == (mode == .reparent ? nil : "a"))
        await #expect(throws: CRDTError.self) { try await bridge.renameFolder("a", to: "x", in: "f") }
    }

    /// Two devices move a and d into each other at once.
    @Test func circlesAreOutOfSightAndCanBeMovedOut() async throws {
        let bridge = try await tree()
        let state = try await bridge.state(of: "f")
        try await bridge.load("g", [state])
        let here = try await bridge.moveFolder("a", into: "d", in: "f")
        let there = try await bridge.moveFolder("d", into: "a", in: "g")
        try await bridge.apply(there ?? [], to: "f")
        try await bridge.apply(here ?? [], to: "g")
        let folders = try await bridge.folders(of: "f")
        #expect(try await bridge.folders(of: "g") == folders)
        #expect(folders.folders.allSatisfy { !folders.isVisible($0.id) })
        #expect(Set(folders.descendants(of: "a").map(\.id)) == ["b", "c", "d"])
        #expect(try await bridge.moveFolder("a", into: nil, in: "f") != nil)
        let mended = try await bridge.folders(of: "f")
        #expect(mended.folders.allSatisfy { mended.isVisible($0.id) })
    }

    @Test func missingParents() async throws {
        let bridge = try await tree()
        let error = await #expect(throws: CRDTError.self) {
            try await bridge.addFolder("x", named: "X", in: "gone", directory: "sd", to: "f")
        }
        #expect(error?.code == .notFound)
        let twice = await #expect(throws: CRDTError.self) {
            try await bridge.addFolder("a", named: "X", in: nil, directory: "sd", to: "f")
        }
        #expect(twice?.code == .misfit)
    }
}
