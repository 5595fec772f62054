import Rooms
import Testing
import Wire

@Suite("Limits of envelopes")
struct EnvelopeLimitsTests {
    @Test("Envelopes that break a limit or a rule are refused", arguments: Refused.allCases)
    func refused(case refused: Refused) {
        #expect(throws: WireError.self) { try Envelope(bytes: refused.bytes) }
    }

    /// Envelopes that honest senders never make.
    enum Refused: CaseIterable {
        case noID, shortID, hugeNumber, longText, notUTF8, noDigest, longName, longWaveform, longVoice, offEarth,
            noNumber
        case infiniteAccuracy, longChunk, manyReads, tooLong, wrongType

        var bytes: [UInt8] {
            switch self {
            case .noID:
                fields {
                    $0.write(UInt64(1), 2); $0.write("x", 10)
                }
            case .shortID:
                fields {
                    $0.write([1, 2] as [UInt8], 1); $0.write(UInt64(1), 2)
                }
            case .hugeNumber: message { $0.write(UInt64.max, 3) }
            case .longText: message { $0.write(String(repeating: "x", count: 65_537), 10) }
            case .notUTF8: message { $0.write([0xff] as [UInt8], 10) }
            case .noDigest: file { $0.write("x", 1) }
            case .longName:
                file {
                    $0.write(String(repeating: "x", count: 256), 1); $0.write(digest, 3)
                }
            case .longWaveform: voice { $0.write([UInt8](repeating: 1, count: 121), 2) }
            case .longVoice: voice { $0.write(UInt64(86_400_001), 1) }
            case .offEarth: place { $0.write(90.5, 1) }
            case .noNumber: place { $0.write(Double.nan, 2) }
            case .infiniteAccuracy: place { $0.write(Double.infinity, 3) }
            case .longChunk:
                nested(25) {
                    $0.write(digest.prefix(16), 1); $0.write([UInt8](repeating: 1, count: 65_537), 3)
                }
            case .manyReads: nested(22) { for _ in 0...1000 { $0.write(digest.prefix(16), 1) } }
            case .tooLong: fields { $0.write([UInt8](repeating: 1, count: 256 * 1024), 99) }
            case .wrongType: message { $0.write(UInt64(5), 10) }
            }
        }

        private var digest: [UInt8] { [UInt8](repeating: 1, count: 32) }

        private func fields(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
            var writer = ProtobufWriter()
            write(&writer)
            return writer.bytes
        }

        private func message(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
            fields {
                $0.write([UInt8](repeating: 1, count: 16), 1); $0.write(UInt64(1), 2)
            } + fields(write)
        }

        private func nested(_ number: Int, _ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
            var inner = ProtobufWriter()
            write(&inner)
            return fields { $0.write(message: inner, number) }
        }

        private func file(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] { message { _ in } + nested(11, write) }

        private func place(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] { message { _ in } + nested(12, write) }

        private func voice(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
            var note = ProtobufWriter()
            write(&note)
            return file {
                $0.write(digest, 3); $0.write(message: note, 4)
            }
        }
    }
}
