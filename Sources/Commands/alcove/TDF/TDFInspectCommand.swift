import AppCore
import Foundation
import NanoTDF

/// `alcove tdf inspect`
struct TDFInspectCommand: Command {
    static let reference = CommandReference(
        "tdf inspect", "[--json] FILE|-",
        "show every field of a NanoTDF with its place; no key is needed",
        takes: .one("the file to look at, or - for standard input"),
        options: [.flag("json", "print the fields as one JSON object")],
        examples: ["alcove tdf inspect letter.ntdf", "alcove tdf inspect --json letter.ntdf"])

    /// More would be more lines than anybody looks at.
    private static let byteLimit = 64 << 20
    /// Digits of a field that are shown to a person.
    private static let shownByteCount = 16

    let arguments: Arguments
    private var file: String { arguments.operands[0] }

    private struct Report: Encodable {
        struct Field: Encodable {
            var offset: Int
            var length: Int
            var name: String
            var meaning: String
            /// At most the first 1024 bytes.
            var hex: String

            init(_ field: NanoTDF.Field) {
                (offset, length, name, meaning) = (field.offset, field.count, field.name, field.meaning)
                hex = hexadecimal(field.bytes.prefix(1024))
            }
        }

        var bytes: Int
        var fields: [Field]
        var binding: String?
        var signature: String?
        var problem: String?
    }

    func run() async throws {
        let input = try ByteInput(file)
        let bytes = try input.readAll(atMost: Self.byteLimit)
        guard !bytes.isEmpty else { throw CommandFailure("\(input.name) is empty", .dataError) }
        let (fields, problem) = NanoTDF.inspect(bytes)
        let single = try? NanoTDF(bytes)
        let binding = single.map { $0.header.checkBinding() }
        let signature = single.map { TDFReport.words($0.checkSignature()).state }
        if arguments.has("json") {
            let report = Report(
                bytes: bytes.count, fields: fields.map(Report.Field.init), binding: binding?.rawValue,
                signature: signature, problem: problem?.description)
            try Terminal.print(json: report)
        } else {
            Terminal.print(.lines(Self.table(fields)))
            if let binding { Terminal.print("binding: \(Self.words(binding))") }
            if let signature { Terminal.print("signature: \(signature)") }
        }
        guard let problem else { return }
        let place = problem.offset.map { " (at byte \($0))" } ?? ""
        throw CommandFailure("\(input.name): \(problem.message)\(place)", .dataError)
    }

    private static func table(_ fields: [NanoTDF.Field]) -> [String] {
        let width = fields.map(\.name.count).max() ?? 0
        return ["  offset   length  field"]
            + fields.map { field in
                let digits = hexadecimal(field.bytes.prefix(shownByteCount)) + (field.count > shownByteCount ? "…" : "")
                let name = field.name.padding(toLength: width, withPad: " ", startingAt: 0)
                return "\(column(field.offset)) \(column(field.count))  \(name)  \(digits)"
                    + (field.meaning.isEmpty ? "" : "  \(shortened(field.meaning))")
            }
    }

    private static func column(_ number: Int) -> String {
        String(repeating: " ", count: max(0, 8 - String(number).count)) + String(number)
    }

    private static func shortened(_ text: String) -> String {
        text.unicodeScalars.count > 100 ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(100))) + "…" : text
    }

    private static func words(_ check: NanoTDF.BindingCheck) -> String {
        switch check {
        case .digest: "the digest of the policy, which anybody can make"
        case .ecdsa: "the ephemeral key's signature of the policy, valid"
        case .tag, .wrong: "not the policy's digest; OpenTDFKit's kind shows only to the key"
        }
    }
}
