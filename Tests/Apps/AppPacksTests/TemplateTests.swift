import AppPacks
import Components
import Foundation
import ProgramRunner
import Testing

@Suite struct TemplateTests {
    @Test(arguments: ["Hello", "He said \"hi\" \\ 🙂"]) func aNewAppCanBeInstalled(name: String) throws {
        try LibraryFixture.use { fixture in
            let template = try #require(AppTemplate(name: name, domain: LibraryFixture.domain()))
            let path = fixture.folder.path + "/new"
            try template.write(to: path)
            let inspection = try fixture.library.inspect(path)
            #expect(inspection.manifest.name == name && inspection.notes.isEmpty)
            #expect(inspection.newRequests.map(\.capability) == [.ownFiles, .log])
            #expect(inspection.newRequests.allSatisfy { $0.capability.isServed })
            #expect(inspection.manifest.components[0].commands.keys.sorted() == ["count", "hello"])
            try fixture.library.install(inspection, granting: [])
            #expect(refusal { try template.write(to: path) }?.code == .file)
        }
    }

    @Test func theDocumentationShowsWhatIsWritten() throws {
        try Program.inFolder { folder in
            let domain = try #require(AppDomain("tea.example"))
            let template = try #require(AppTemplate(name: "tea", domain: domain))
            try template.write(to: folder.path + "/tea")
            let text = try String(contentsOf: Program.repository.appending(path: "docs/apps.md"), encoding: .utf8)
            for (name, language) in [("manifest.json", "json"), ("main.mjs", "js")] {
                let written = try String(contentsOf: folder.appending(path: "tea/" + name), encoding: .utf8)
                #expect(text.contains("```\(language)\n\(written)```\n"), "docs/apps.md shows another \(name)")
            }
        }
    }

    @Test(arguments: ["", "a\nb", String(repeating: "a", count: 129)]) func someNamesAreNone(name: String) throws {
        let domain = try LibraryFixture.domain()
        #expect(AppTemplate(name: name, domain: domain) == nil)
    }
}
