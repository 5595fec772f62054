import AppCore
import Cryptography
import Foundation
import NanoTDF

/// `alcove tdf open`
struct TDFOpenCommand: Command {
    static let reference = CommandReference(
        "tdf open", "--private-key KEY | --kas URL | --mine [--signed-by KEY] [--output OUT] FILE|-",
        "open a NanoTDF with the private key it was sealed to, and write what is in it",
        takes: .one("the file to open, or - for standard input"),
        options: TDFOpeningKey.options + TDFParticipant.openOptions + [
            .value(
                "output", "OUT",
                "write to this file, which is there when everything is right (or -o); else standard output"
            ),
            .value(
                "signed-by", "KEY",
                "open it only if this public key signed it: PEM, DER, a certificate, or a point"),
            .value(
                "allow", "WHAT",
                "accept what is refused otherwise: \(allowances.map(\.name).joined(separator: ", ")), cut-off; may be repeated"
            ),
            .flag("json", "print what was found as one JSON object; needs --output"),
        ],
        examples: [
            "alcove tdf open --private-key me.pem letter.ntdf",
            "alcove tdf open --private-key me.pem -o film.mp4 film.ntdf",
            "alcove tdf open --private-key me.pem --signed-by ann-public.pem letter.ntdf",
            "curl -s https://example.com/letter.ntdf | alcove tdf open --private-key me.pem -",
            "alcove tdf open --kas https://kas.example.com --token token.txt letter.ntdf",
        ])

    private static let allowances: [(name: String, leniency: NanoTDF.Leniency)] = [
        ("wrong-binding", .wrongBinding), ("wrong-signature", .wrongSignature),
        ("early-signature", .signatureBeforeFlag), ("policy-without-tag", .policyWithoutTag),
    ]

    private let arguments: Arguments
    private let file: String
    private let leniency: NanoTDF.Leniency
    private let acceptsCutOff: Bool

    init(arguments: Arguments) throws {
        file = arguments.operands[0]
        let keys = [arguments["private-key"] != nil, arguments["kas"] != nil, arguments.has("mine")]
        guard keys.count(where: \.self) == 1 else {
            throw UsageError("give one of --private-key KEY, --kas URL and --mine")
        }
        guard arguments["signed-by"] == nil || !arguments.has("mine") else {
            throw UsageError("--signed-by is for other people's keys; what --mine opens is known by its key")
        }
        guard !arguments.has("json") || arguments["output"] != nil else {
            throw UsageError("--json needs --output, because standard output takes what was sealed")
        }
        var leniency = NanoTDF.Leniency()
        for name in arguments.all("allow") where name != "cut-off" {
            guard let allowance = Self.allowances.first(where: { $0.name == name }) else {
                let known = Self.allowances.map(\.name).joined(separator: ", ")
                throw UsageError("--allow takes \(known) or cut-off, not \"\(name)\"")
            }
            leniency.formUnion(allowance.leniency)
        }
        self.leniency = leniency
        acceptsCutOff = arguments.all("allow").contains("cut-off")
        self.arguments = arguments
    }

    func run() async throws {
        if arguments.has("mine") { return try await TDFParticipant(arguments).open(file) }
        let key = try TDFOpeningKey(arguments)
        let signer = try arguments["signed-by"].map { try TDFKeyFile.publicKey($0) }
        let input = try ByteInput(file)
        let beginning = try input.read(Self.largestFile + 1)
        guard !beginning.isEmpty else { throw CommandFailure("\(input.name) is empty", .dataError) }
        let single = try explained(input.name) {
            beginning.count <= Self.largestFile ? try Self.single(beginning) : nil
        }
        if let signer { try check(signer, of: single, input.name) }
        let output = try ByteOutput(arguments["output"], forOwnerOnly: true, content: .shown)
        let report: TDFReport
        do {
            report =
                if let single {
                    try await open(single, key, output)
                } else {
                    try await openDataset(beginning, input, key, output)
                }
        } catch let error as NanoTDFError {
            throw CommandFailure(error, input.name)
        }
        try output.finish()
        if arguments.has("json") { try Terminal.print(json: report) }
    }

    /// No file of one payload is longer: the largest header, payload and signature.
    private static let largestFile = 70_000 + (1 << 24) + 200

    /// The file, unless more payloads follow the first.
    private static func single(_ bytes: [UInt8]) throws -> NanoTDF? {
        do {
            return try NanoTDF(bytes)
        } catch let error where error.code == .trailingBytes {
            return nil
        }
    }

    private func explained<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as NanoTDFError { throw CommandFailure(error, name) }
    }

    /// Before a key is asked for, and before anything is written.
    private func check(_ signer: EllipticCurve.PublicKey, of file: NanoTDF?, _ name: String) throws {
        let found: EllipticCurve.PublicKey
        switch file?.checkSignature() ?? .absent {
        case .valid(let key): found = key
        case .beforeFlag(let key) where leniency.contains(.signatureBeforeFlag): found = key
        case .beforeFlag: throw CommandFailure(NanoTDFError(.signedBeforeFlag, Self.earlySignature), name)
        case .wrong: throw CommandFailure("\(name): the signature is not one of these bytes", .dataError)
        case .absent:
            throw CommandFailure("\(name): nobody signed it, and --signed-by asks for a signature", .dataError)
        }
        guard found == signer else {
            throw CommandFailure("\(name): another key signed it: \(hexadecimal(found.compressed))", .noPermission)
        }
    }

    private static let earlySignature = "the signature was made before the flag that says there is one"

    private func open(_ file: NanoTDF, _ key: TDFOpeningKey, _ output: ByteOutput) async throws -> TDFReport {
        let opened = try await key.open(file, allowing: leniency)
        try output.write(opened.plaintext)
        return TDFReport(file.header, opened)
    }

    private func openDataset(
        _ beginning: [UInt8], _ input: ByteInput, _ key: TDFOpeningKey, _ output: ByteOutput
    ) async throws -> TDFReport {
        var dataset = try await key.dataset(beginning: beginning, allowing: leniency)
        var (bytes, count) = (beginning, 0)
        while !bytes.isEmpty {
            for plaintext in try dataset.read(bytes) {
                count += plaintext.count
                try output.write(plaintext)
            }
            bytes = try input.read(NanoTDFDatasetWriter.customaryByteCount)
        }
        for plaintext in try dataset.finish() {
            count += plaintext.count
            try output.write(plaintext)
        }
        guard dataset.isEnded || acceptsCutOff else {
            throw CommandFailure(
                "\(input.name): the end is missing, or another program wrote it: say --allow cut-off if that is right",
                .dataError)
        }
        return TDFReport(dataset, plaintextBytes: count)
    }
}
