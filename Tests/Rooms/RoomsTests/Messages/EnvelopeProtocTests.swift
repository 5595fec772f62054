import Foundation
import Rooms
import Testing

/// Compares the envelope with Google's protobuf compiler and the schema in the protocol's page.
@Suite(
    "Envelopes as protoc sees them",
    .enabled(if: FileManager.default.isExecutableFile(atPath: Protoc.path), "apt-get install protobuf-compiler"))
struct EnvelopeProtocTests {
    @Test("protoc reads what we write", arguments: EnvelopeSample.all)
    func decode(sample: EnvelopeSample) throws {
        let output = try Protoc.envelope.run("--decode", input: sample.envelope.bytes)
        #expect(String(decoding: output, as: UTF8.self) == sample.text + "\n")
    }

    @Test("We read what protoc writes", arguments: EnvelopeSample.all)
    func encode(sample: EnvelopeSample) throws {
        let bytes = try Protoc.envelope.run("--encode", input: Array(sample.text.utf8))
        #expect(try Envelope(bytes: bytes) == sample.envelope)
    }
}
