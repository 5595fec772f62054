import Foundation
import Storage
import Testing

@Suite("Slot files")
struct SlotFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "slots")
    }

    private func slot(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: SlotFile.slotByteCount) }

    @Test("Written slots are read back, and only an erased slot becomes empty")
    func roundTrip() throws {
        let slots = try SlotFile.create(at: path, count: 100)
        try slots.write(slot(1) + slot(2) + slot(3), at: 40)
        try slots.erase(41)
        try slots.synchronize()
        let again = try SlotFile(at: path)
        #expect(again.count == 100)
        #expect(again.identifier == slots.identifier)
        #expect(
            try (39..<44).map { try again.read($0) } == [
                SlotFile.empty, slot(1), SlotFile.empty, slot(3), SlotFile.empty,
            ])
        #expect(try folder.permissions(of: "slots") == 0o600)
        #expect(try folder.contents() == ["slots"])
    }

    @Test("Each file has its own identifier, also one that replaces another")
    func identifiers() throws {
        let first = try SlotFile.create(at: path, count: 2)
        try first.write(slot(9), at: 0)
        let second = try SlotFile.create(at: path, count: 2)
        #expect(first.identifier != second.identifier)
        #expect(try second.read(0) == SlotFile.empty)
    }

    @Test("A closed file opens again when it is used, and gives its descriptor back")
    func closing() throws {
        let slots = try SlotFile.create(at: path, count: 2)
        try slots.write(slot(1), at: 0)
        slots.close()
        #expect(try slots.read(0) == slot(1))
        slots.close()
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: FileError.self) { try slots.read(0) }
    }

    @Test("Slots outside of the file are refused", arguments: [-1, 3, Int.max, Int.min])
    func outside(place: Int) throws {
        let slots = try SlotFile.create(at: path, count: 3)
        #expect(throws: FileError.self) { try slots.read(place) }
        #expect(throws: FileError.self) { try slots.erase(place) }
        #expect(throws: FileError.self) { try slots.write(slot(1) + slot(2) + slot(3) + slot(4), at: 0) }
        #expect(throws: FileError.self) { try slots.write([1, 2, 3], at: 0) }
    }

    @Test("Invalid counts are refused", arguments: [0, -1, SlotFile.slotLimit + 1, Int.max])
    func counts(count: Int) {
        #expect(throws: FileError.self) { try SlotFile.create(at: path, count: count) }
    }

    @Test("A file that is damaged, cut or prolonged does not open", arguments: [0, 7, 9, 11, 15])
    func damage(place: Int) throws {
        _ = try SlotFile.create(at: path, count: 3)
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var altered = whole
        altered[place] ^= 0x40
        for bytes in [altered, Array(whole.dropLast()), whole + [0], []] {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(throws: FileError.self) { try SlotFile(at: path) }
        }
    }
}
