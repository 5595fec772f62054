import Testing

/// The pages say what a person can do. Here somebody does it, word by word.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PageTests {
    private static let runnable = Page.all.filter { page in
        page.blocks.contains { (try? PageStep.steps(of: $0))?.isEmpty != true }
            // It links what `make core` leaves, which takes minutes; `make test` does that first.
            && (page.path != "docs/c-abi.md" || PageRun.hasCoreLibrary)
    }

    @Test(arguments: runnable) func `what a page says works, and prints what it says`(page: Page) async throws {
        try await PageRun(page).play()
    }

    @Test func `the pages are found, and those that lead people in have something to run`() {
        let paths = Page.all.map(\.path)
        for path in ["README.md", "docs/notes.md", "docs/apps.md", "docs/simulator.md", "Apps/checklist/README.md"] {
            #expect(paths.contains(path))
            #expect(Self.runnable.contains { $0.path == path }, "\(path) runs nothing")
        }
    }
}
