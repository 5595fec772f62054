import CRDTBridge
import Foundation
import Notes
import RichText
import Testing

@Suite("Comments")
struct CommentTests {
    @Test("A thread is begun on words of the text, answered, liked and settled")
    func thread() async throws {
        try await Place.inFolder { place in
            let (ada, ben) = (
                try await place.open("Ada", directory: "one"), try await place.open("Ben", directory: "one")
            )
            let note = try await ada.create(title: "Plan", markdown: "buy **milk** and bread")
            try await ben.catchUp()
            let thread = try await ben.comment(on: note.id, quoting: "milk and", "Oat milk?")
            #expect(thread.author.name == "Ben")
            #expect(thread.quoted == "milk and")
            let answered = try await ada.reply(to: thread.id, on: note.id, "Yes")
            #expect(answered.replies.map(\.text) == ["Yes"])
            try await ben.react("👍", to: thread.id, reply: answered.replies[0].id, on: note.id)
            try await ada.resolve(thread.id, on: note.id)
            for library in [ada, ben] {
                let threads = try await library.comments(on: note.id)
                #expect(threads.count == 1)
                #expect(threads.first?.isResolved == true)
                #expect(threads.first?.reactions.map(\.emoji) == ["👍"])
                // The mark of the thread is in the text, and is not shown.
                #expect(try await library.markdown(of: note.id) == "Plan\n\nbuy **milk** and bread\n")
            }
            #expect(await failure { try await ada.comment(on: note.id, quoting: "butter", "?") } == .textUnknown)
            #expect(await failure { try await ada.reply(to: "nothing", on: note.id, "?") } == .commentUnknown)
            await ada.close()
            await ben.close()
        }
    }

    @Test("An edit of the text around keeps the mark of a comment")
    func marks() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Plan", markdown: "buy milk today")
            let thread = try await library.comment(on: note.id, quoting: "milk", "Oat?")
            let text = try await library.text(of: note.id)
            try await library.replace(
                note.id, markdown: text.markdown.replacing("today", with: "tomorrow"), base: text.revision)
            let content = try await library.content(of: note.id)
            let marked = "\(content.blocks)"
            #expect(marked.contains("commentMark--") && marked.contains(thread.id))
            await library.close()
        }
    }
}
