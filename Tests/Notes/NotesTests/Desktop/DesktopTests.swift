import CRDTBridge
import Foundation
import Notes
import RichText
import Testing

@Suite("Directories of the desktop app")
struct DesktopTests {
    private static let note = "VQ6EAOKbQdSnFkRmVUQAAA"

    /// What somebody typed, one update for each key, as the desktop app records it.
    private static func typed(_ bridge: isolated CRDTBridge, _ text: String) throws -> [[UInt8]] {
        var updates = [try bridge.createNote(note, in: "VQ6EAOKbQdSnFkRmVUQAAA", created: 1_767_000_000_000)]
        updates += [try bridge.edit(note, [.insert([.text([.init("Typed: ")])], at: [0, 0])])].compactMap(\.self)
        for (index, letter) in text.enumerated() {
            let end = 7 + index
            let change: [RichText.TextChange] = [.retain(end, marks: [:]), .insert(.init(String(letter)))]
            updates += [try bridge.edit(note, [.changeText(change, at: [0, 0])])].compactMap(\.self)
            updates += [try bridge.setMetadata(of: note, [.modified(1_767_000_000_000 + Int64(index))])].compactMap(
                \.self)
        }
        return updates
    }

    @Test(
        "A directory of today's app opens, is edited, and stays valid for it",
        arguments: DesktopWriter.NameForm.allCases)
    func today(nameForm: DesktopWriter.NameForm) async throws {
        try await Place.inFolder { place in
            let bridge = try await CRDTBridge()
            var desktop = try DesktopWriter(place.directory("Ada"))
            desktop.nameForm = nameForm
            let updates = try await Self.typed(bridge, "hello")
            try desktop.append(Array(updates.prefix(6)), to: Self.note)
            try desktop.quit()
            try desktop.append(Array(updates.dropFirst(6)), to: Self.note)
            let before = try Self.bytes(below: desktop.root)

            let library = try await place.open("Ada")
            #expect(try await library.list().map(\.title) == ["Typed: hello"])
            #expect(try await library.history(of: Self.note).updates == updates.count)
            // An id may begin with an underscore, and then the older names can be split in two ways.
            if nameForm == .dots { #expect(try await library.history(of: Self.note).authors == ["Grace"]) }
            let text = try await library.text(of: Self.note)
            try await library.replace(
                Self.note, markdown: text.markdown.replacing("hello", with: "**hello** world") + "\n- [ ] task\n",
                base: text.revision)
            let other = try await library.create(title: "New", markdown: "# Head\n\n| a |\n| - |\n| b |")
            try await library.delete(other.id)
            #expect(try await library.verify().isOK)
            await library.close()

            let judge = Judge(desktop.root)
            try judge.check()
            #expect(try await judge.content(of: Self.note).markdown() == "Typed: **hello** world\n\n- [ ] task\n")
            #expect(try await judge.content(of: other.id).title == "New")
            for (file, bytes) in before { #expect(try Data(contentsOf: desktop.root.appending(path: file)) == bytes) }

            // The app goes on, and we see it.
            let more = try #require(
                await bridge.edit(
                    Self.note, [.changeText([.retain(0, marks: [:]), .insert(.init("> "))], at: [0, 0])]))
            try desktop.append([more], to: Self.note)
            let again = try await place.open("Ada")
            #expect(try await again.note(Self.note).title == "> Typed: hello world")
            try desktop.purge(Self.note)
            try await again.catchUp()
            #expect(await failure { try await again.note(Self.note) } == .noteUnknown)
            await again.close()
        }
    }

    @Test(
        "A directory of the first generation opens, with what is in its packs and snapshots", arguments: [true, false])
    func firstGeneration(hasFlags: Bool) async throws {
        try await Place.inFolder { place in
            let bridge = try await CRDTBridge()
            var desktop = try OldDesktopWriter(place.directory("Ada"), hasFlags: hasFlags)
            let updates = try await Self.typed(bridge, "old times")
            let third = updates.count / 3
            let covered = try await bridge.merge(Array(updates.prefix(third)))
            try desktop.write(updates, state: covered, covering: third, of: Self.note)
            if hasFlags { try desktop.writeUnready(updates[0], of: Self.note) }
            let before = try Self.bytes(below: desktop.root)

            let library = try await place.open("Ada")
            #expect(try await library.list().map(\.title) == ["Typed: old times"])
            try await library.append("more", to: Self.note)
            #expect(try await library.markdown(of: Self.note) == "Typed: old times\n\nmore\n")
            await library.close()
            for (file, bytes) in before { #expect(try Data(contentsOf: desktop.root.appending(path: file)) == bytes) }
            try Judge(desktop.root).check()
        }
    }

    @Test("A log that is older than what was read before is read when it comes")
    func lateOlderFile() async throws {
        try await Place.inFolder { place in
            let bridge = try await CRDTBridge()
            var desktop = try DesktopWriter(place.root.appending(path: "far"))
            let updates = try await Self.typed(bridge, "AB")
            try desktop.append(Array(updates.prefix(4)), to: Self.note)
            try desktop.quit()
            try desktop.append(Array(updates.dropFirst(4)), to: Self.note)
            let logs = Place.files(below: desktop.root).filter { $0.hasSuffix(".crdtlog") }
            #expect(logs.count == 2)

            let library = try await place.open("Ada")
            let target = place.directory("Ada")
            for log in logs.reversed() {
                let file = target.appending(path: log)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.copyItem(at: desktop.root.appending(path: log), to: file)
                try await library.catchUp()
                #expect(try await library.list().count == 1, "it is listed as soon as something of it is here")
            }
            #expect(try await library.note(Self.note).title == "Typed: AB")
            #expect(try await library.note(Self.note).problem == nil)
            await library.close()
        }
    }

    @Test("Snapshot files count, unless they are being written")
    func snapshots() async throws {
        try await Place.inFolder { place in
            let bridge = try await CRDTBridge()
            var desktop = try DesktopWriter(place.directory("Ada"))
            _ = try await Self.typed(bridge, "kept")
            try desktop.snapshot(await bridge.state(of: Self.note), of: Self.note)
            try desktop.snapshot([1, 2, 3], of: Self.note, isComplete: false)
            let library = try await place.open("Ada")
            #expect(try await library.note(Self.note).title == "Typed: kept")
            await library.close()
        }
    }

    @Test("Nodes and marks that nobody knows stay as they are while all around them is edited")
    func foreignNodes() async throws {
        try await Place.inFolder { place in
            let bridge = try await CRDTBridge()
            var desktop = try DesktopWriter(place.directory("Ada"))
            let strange = RichText.Node.element(
                .init(
                    "hologram", ["depth": .number(3), "data": .object(["x": .array([.null, .bool(true)])])],
                    [.text([.init("inside", ["glow": .object(["hue": .string("blue")])])])]))
            var updates = try await Self.typed(bridge, "x")
            updates.append(
                try #require(
                    await bridge.edit(
                        Self.note,
                        [.insert([strange, .element(.init("paragraph", [:], [.text([.init("last")])]))], at: [1])])))
            try desktop.append(updates, to: Self.note)

            let library = try await place.open("Ada")
            for word in ["one", "two"] {
                let text = try await library.text(of: Self.note)
                try await library.replace(
                    Self.note, markdown: text.markdown.replacing("last", with: "\(word) last") + "\nnew \(word)\n",
                    base: text.revision)
            }
            try await library.rename(Self.note, to: "Renamed")
            let content = try await library.content(of: Self.note)
            #expect(content.blocks.contains(strange))
            #expect(content.title == "Renamed")
            #expect(content.contentText.contains("one two last") || content.contentText.contains("two one last"))
            await library.close()
            // Nobody wrote it anew: it is still the desktop's.
            let records = try DesktopReader(root: desktop.root).records(of: "notes/\(Self.note)")
            let ours = records.filter { !$0.file.hasPrefix(desktop.profile) }
            #expect(!ours.isEmpty)
            #expect(!ours.contains { String(decoding: $0.update, as: UTF8.self).contains("hologram") })
        }
    }

    @Test("An activity log that was compacted hides nothing")
    func compactedActivity() async throws {
        try await Place.inFolder { place in
            let bridge = try await CRDTBridge()
            var desktop = try DesktopWriter(place.directory("Ada"))
            let updates = try await Self.typed(bridge, "abc")
            let library = try await place.open("Ada")
            for update in updates {
                try desktop.append([update], to: Self.note)
                let activity = desktop.root.appending(path: "activity/\(desktop.profile).\(desktop.instance).log")
                let last =
                    String(decoding: try Data(contentsOf: activity), as: UTF8.self).split(separator: "\n").last ?? ""
                try Data("\(last)\n".utf8).write(to: activity)
                try await library.catchUp()
            }
            #expect(try await library.note(Self.note).title == "Typed: abc")
            await library.close()
        }
    }

    private static func bytes(below folder: URL) throws -> [String: Data] {
        try Dictionary(
            uniqueKeysWithValues: Place.files(below: folder).map {
                ($0, try Data(contentsOf: folder.appending(path: $0)))
            })
    }
}
