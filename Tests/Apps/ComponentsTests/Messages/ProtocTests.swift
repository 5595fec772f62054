import Components
import Testing
import Wire

@Suite("Messages beside protoc")
struct ProtocTests {
    @Test("Every message of the schemas has a type")
    func complete() throws {
        let schemas = try Descriptors.all.get().messages.keys.sorted()
        #expect(schemas == allMessageTypes.map { $0.schemaName }.sorted())
        #expect(schemas.count > 240)
    }

    /// Both write fields in ascending order, so what one writes and the other reads can be compared byte for byte.
    @Test("Random content of every message is read as protoc meant it, and written as protoc writes it")
    func roundTrip() throws {
        let specimens = try Specimens.all.get().list
        #expect(specimens.count == 12 * allMessageTypes.count)
        for specimen in specimens {
            let name = Comment(rawValue: specimen.type.schemaName)
            let message = try specimen.type.init(decoding: specimen.bytes)
            #expect(specimen.content.difference(from: message) == nil, name)
            #expect(message.encoded == specimen.bytes, name)
        }
    }

    @Test("A message that ends anywhere but after a field is refused")
    func truncation() throws {
        for specimen in try Specimens.all.get().list {
            for end in specimen.bytes.indices {
                let cut = specimen.bytes[..<end]
                guard let message = try? specimen.type.init(decoding: cut) else { continue }
                #expect(message.encoded == Array(cut), "\(specimen.type.schemaName)")
            }
        }
    }

    @Test("Each required field must be there")
    func required() throws {
        var tried = 0
        for specimen in try Specimens.all.get().list {
            for field in specimen.fields where field.isRequired {
                let rest = try without(field.number, in: specimen.bytes)
                let error = #expect(throws: WireError.self) { try specimen.type.init(decoding: rest) }
                #expect(error?.message == "\(specimen.type.schemaName) has no \(field.name)")
                tried += 1
            }
        }
        #expect(tried > 500)
    }

    @Test("Each field must have the wire type of its kind, and unknown fields are passed over")
    func wireTypes() throws {
        for specimen in try Specimens.all.get().list {
            for field in specimen.fields {
                var isNumber = true
                switch field.kind {
                case .string, .bytes, .message: isNumber = false
                default: break
                }
                let number = UInt64(field.number) << 3
                var wrong = ByteWriter()
                wrong.writeVarint(number | (isNumber ? 5 : 0))
                wrong.writeBytes([1, 0, 0, 0].prefix(isNumber ? 4 : 1))
                let bytes = specimen.bytes + wrong.bytes
                #expect(throws: WireError.self, "\(specimen.type.schemaName).\(field.name)") {
                    try specimen.type.init(decoding: bytes)
                }
            }
            let more = specimen.bytes + [0xf8, 0xff, 0x03, 0x01]
            #expect(try specimen.type.init(decoding: more).encoded == specimen.bytes)
        }
    }

    private func without(_ number: Int, in bytes: [UInt8]) throws -> [UInt8] {
        var reader = ProtobufReader(bytes)
        var rest = ByteWriter()
        while let field = try reader.next() {
            if field.number == number { continue }
            switch field.value {
            case .varint(let number):
                rest.writeVarint(UInt64(field.number) << 3)
                rest.writeVarint(number)
            case .bytes(let slice):
                rest.writeVarint(UInt64(field.number) << 3 | 2)
                rest.writeVarint(UInt64(slice.count))
                rest.writeBytes(slice)
            case .fixed32, .fixed64: Issue.record("the schemas have no such field")
            }
        }
        return rest.bytes
    }
}
