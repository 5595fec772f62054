import Testing

@testable import Notes

@Suite("Memory of a library")
struct MemoryTests {
    @Test(
        "Memory is short when less than a twentieth can be had",
        arguments: [
            ("MemTotal:  1000 kB\nMemFree:  1 kB\nMemAvailable:  49 kB\n", true),
            ("MemTotal:  1000 kB\nMemAvailable:  50 kB\n", false), ("MemTotal:  1000 kB\n", false), ("", false),
            ("MemTotal:\nMemAvailable: x kB", false),
        ])
    func shortage(text: String, isShort: Bool) { #expect(MemoryPressure.isShort(text) == isShort) }

    @Test("Notes that were let go of are read again, with what was written to them")
    func release() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            var notes: [String] = []
            for number in 1...5 { notes.append(try await library.create(title: "Note \(number)").id) }
            await library.releaseMemory()
            for note in notes { try await library.append("more", to: note) }
            await library.releaseMemory()
            for (index, note) in notes.enumerated() {
                let markdown = try await library.markdown(of: note)
                #expect(markdown == "Note \(index + 1)\n\nmore\n")
            }
            await library.close()
        }
    }
}
