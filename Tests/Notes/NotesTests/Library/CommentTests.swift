import CRDTBridge
import Foundation
import Notes
import RichText
import Synchronization
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

    @Test(
        "What is selected may say what other places say, reach over paragraphs and hold what nobody sees",
        arguments: [
            ("milk", 0, "milk"), ("milk", 1, "milk"), ("milk", 9, "milk"), ("milk  and tea", 0, "milk\nand tea"),
            ("tea more", 0, "tea\nmore"), ("zero", 0, "ze\u{AD}ro"),
        ])
    func places(quoted: String, nth: Int, marked: String) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(
                title: "Plan", markdown: "milk or milk\n\n- buy milk\\\n  and tea\n- more ze\u{AD}ro")
            let thread = try await library.comment(on: note.id, quoting: quoted, nth: nth, "?")
            #expect(thread.quoted == marked)
            let place = try #require(thread.anchor?.lowerBound)
            let first = try #require(try await library.comment(on: note.id, quoting: quoted, "?").anchor?.lowerBound)
            #expect(nth == 0 ? first == place : first < place)
            #expect(await failure { try await library.comment(on: note.id, quoting: " \n", "?") } == .textUnknown)
            await library.close()
        }
    }

    @Test("A repeated request makes one thread and one answer; a deleted thread leaves no mark")
    func repeated() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Plan", markdown: "buy milk today")
            for _ in 1...2 {
                try await library.comment(on: note.id, quoting: "milk", "Oat?", id: "thread")
                try await library.reply(to: "thread", on: note.id, "Yes", id: "answer")
            }
            let threads = try await library.comments(on: note.id)
            #expect(threads.map(\.id) == ["thread"])
            #expect(threads.first?.replies.map(\.id) == ["answer"])
            for _ in 1...2 { try await library.deleteComment("thread", on: note.id) }
            #expect(try await library.comments(on: note.id).isEmpty)
            let content = try await library.content(of: note.id)
            #expect(!"\(content.blocks)".contains("commentMark--"))
            await library.close()
        }
    }

    @Test("Own words are corrected and own answers deleted, those of others are not")
    func corrected() async throws {
        try await Place.inFolder { place in
            let (ada, ben) = (
                try await place.open("Ada", directory: "one"), try await place.open("Ben", directory: "one")
            )
            let note = try await ada.create(title: "Plan", markdown: "buy milk today").id
            try await ada.comment(on: note, quoting: "milk", "Oat?", id: "thread")
            try await ada.reply(to: "thread", on: note, "Yse", id: "answer")
            try await ben.catchUp()
            try await ben.reply(to: "thread", on: note, "Soy", id: "other")
            try await ada.catchUp()
            #expect(try await ada.correct("thread", on: note, "Oat milk?").text == "Oat milk?")
            try await ada.correct("thread", reply: "answer", on: note, "Yes")
            // Neither of these is a change, and no other program of the folder has anything to read.
            let before = try await ada.comments(on: note)
            for text in ["Yes", "", " \n"] { try await ada.correct("thread", reply: "answer", on: note, text) }
            #expect(try await ada.comments(on: note) == before)
            try await ben.catchUp()
            let seen = try #require(try await ben.comments(on: note).first)
            #expect(seen.text == "Oat milk?" && seen.edited != nil)
            #expect(Set(seen.replies.map(\.text)) == ["Yes", "Soy"])
            #expect(seen.replies.map { $0.edited != nil } == seen.replies.map { $0.id == "answer" })
            #expect(await ada.ownAuthors.contains(seen.author.id))
            #expect(await !ben.ownAuthors.contains(seen.author.id))
            #expect(await failure { try await ben.correct("thread", on: note, "No") } == .notOwn)
            #expect(await failure { try await ben.correct("thread", reply: "answer", on: note, "No") } == .notOwn)
            #expect(await failure { try await ben.deleteReply("answer", to: "thread", on: note) } == .notOwn)
            #expect(await failure { try await ben.correct("nothing", on: note, "?") } == .commentUnknown)
            #expect(
                await failure { try await ben.correct("thread", reply: "nothing", on: note, "?") } == .commentUnknown)
            let long = String(repeating: "x", count: 10_001)
            #expect(await failure { try await ada.correct("thread", on: note, long) } == .commentTooLong)
            for _ in 1...2 { try await ada.deleteReply("answer", to: "thread", on: note) }
            #expect(try await ada.comments(on: note).first?.replies.map(\.id) == ["other"])
            await ada.close()
            await ben.close()
        }
    }

    @Test("A correction that is repeated takes nothing back that was corrected since, and blanks make no other text")
    func based() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Plan", markdown: "buy milk today").id
            try await library.comment(on: note, quoting: "milk", " Oat?\r\nSoy?\r\n", id: "thread")
            try await library.reply(to: "thread", on: note, "Yes", id: "answer")
            let before = try await library.comments(on: note)
            try await library.correct("thread", on: note, "Oat?\nSoy? ")
            #expect(try await library.comments(on: note) == before)
            for (reply, old) in [(nil, "Oat?\nSoy?"), ("answer", "Yes")] {
                for _ in 1...2 { try await library.correct("thread", reply: reply, on: note, "One", base: [old]) }
                try await library.correct("thread", reply: reply, on: note, "Two")
                #expect(
                    await failure { try await library.correct("thread", reply: reply, on: note, "One", base: [old]) }
                        == .commentChanged)
                try await library.correct("thread", reply: reply, on: note, "Three", base: [old, "Two"])
            }
            let now = try #require(try await library.comments(on: note).first)
            #expect(now.text == "Three" && now.replies.map(\.text) == ["Three"])
            let long = String(repeating: "x", count: 10_001)
            #expect(await failure { try await library.comment(on: note, quoting: "milk", long) } == .commentTooLong)
            #expect(await failure { try await library.reply(to: "thread", on: note, long) } == .commentTooLong)
            await library.close()
        }
    }

    @Test("A note says again what it said, and what it said meanwhile stays in its history")
    func restored() async throws {
        try await Place.inFolder { place in
            let clock = Mutex<Int64>(1000)
            let library = try await place.open(
                "Ada",
                clock: {
                    clock.withLock { time in
                        time += 10; return time
                    }
                })
            let note = try await library.create(title: "Plan", markdown: "buy milk")
            let before = try await library.markdown(of: note.id)
            let time = try #require(try await library.history(of: note.id).last)
            try await library.append("and bread", to: note.id)
            try await library.restore(note.id, asAt: time)
            #expect(try await library.markdown(of: note.id) == before)
            #expect(try await library.history(of: note.id).updates > 2)
            #expect(try await library.markdown(of: note.id, at: time) == before)
            await library.close()
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
