import Cryptography
import Foundation
import NanoTDF

/// `alcove tdf seal`
struct TDFSealCommand: Command {
    static let reference = CommandReference(
        "tdf seal", "[--public-key KEY] --kas URL | --to NAME [options] FILE|-",
        "seal a file to the owner of a public key, as a NanoTDF",
        takes: .one("the file to seal, or - for standard input"),
        options: TDFParticipant.sealOptions + [
            .value(
                "public-key", "KEY",
                "a file: PEM or DER, a certificate, or a point; on P-256, P-384 or P-521 (default: the service is asked)"
            ),
            .value("kas", "URL", "where the private key is: https://kas.example.com"),
            .value("kid", "ID", "what the key is called there, at most 32 bytes"),
            .value(
                "policy", "FILE", "put this file into the header, at most 65535 bytes; without it the policy is empty"),
            .value("remote-policy", "URL", "say where the policy is instead"),
            .flag("encrypt-policy", "encrypt the policy, so that only the reader sees it"),
            .value("binding", "gmac|ecdsa", "how the policy is tied to the header: gmac is a digest, as everywhere"),
            .value("cipher", "64|96|104|112|120|128", "length of the tag in bits (default 128)"),
            .value("sign", "KEY", "sign header and payload with this private key"),
            .value("tls-ca", "FILE", "PEM file with the authorities to check the service's certificate against"),
            .flag("dataset", "write many payloads; what does not fit one payload is written so anyway"),
            .value("output", "OUT", "write to this file (or -o); else standard output"),
        ],
        examples: [
            "alcove tdf seal --public-key you.pem --kas https://kas.example.com --kid e1 letter.txt -o letter.ntdf",
            "alcove tdf seal --to Ben plan.pdf -o plan.ntdf",
            "tar c photos | alcove tdf seal --public-key you.pem --kas https://kas.example.com - > photos.ntdf",
        ])

    private let arguments: Arguments
    private let file: String
    /// Nil for a person of the circle.
    private let kas: ResourceLocator?
    private let binding: NanoTDFSealer.Binding
    private let cipher: NanoTDF.Cipher

    init(arguments: Arguments) throws {
        file = arguments.operands[0]
        binding = try Self.binding(arguments["binding"] ?? "gmac")
        cipher = try Self.cipher(arguments["cipher"] ?? "128")
        self.arguments = arguments
        guard !arguments.has("json") || arguments["to"] != nil && arguments["output"] != nil else {
            throw UsageError("--json needs --to, and --output, because standard output takes what is sealed")
        }
        guard arguments["to"] == nil else {
            let others = ["public-key", "kas", "kid", "policy", "remote-policy", "binding", "cipher", "sign"]
            if let other = others.first(where: { arguments[$0] != nil }) {
                throw UsageError("--to seals with this profile's own keys; it takes no --\(other)")
            }
            kas = nil
            return
        }
        guard let url = arguments["kas"] else { throw UsageError("missing: --kas URL, or --to NAME") }
        guard arguments["policy"] == nil || arguments["remote-policy"] == nil else {
            throw UsageError("--policy and --remote-policy exclude each other")
        }
        guard !arguments.has("encrypt-policy") || arguments["remote-policy"] == nil else {
            throw UsageError("a remote policy is not in the file, so it cannot be encrypted")
        }
        kas = try Self.locator(url, option: "kas", identifier: arguments["kid"] ?? "")
    }

    func run() async throws {
        if let name = arguments["to"] { return try await TDFParticipant(arguments).seal(file, to: name) }
        if let kas { try await seal(for: kas) }
    }

    private func seal(for kas: ResourceLocator) async throws {
        let (key, kas) = try await reader(kas)
        let signer = try arguments["sign"].map(TDFKeyFile.privateKey)
        let input = try ByteInput(file)
        do {
            let sealer = try NanoTDFSealer(kas: kas, policy: policy(), binding: binding, cipher: cipher, signer: signer)
            let beginning = try input.read(sealer.plaintextByteLimit + 1)
            let isDataset = arguments.has("dataset") || beginning.count > sealer.plaintextByteLimit
            guard !isDataset || signer == nil else {
                throw CommandFailure(
                    "what is signed has to fit one payload, at most \(sealer.plaintextByteLimit) bytes; leave --sign away",
                    .dataError)
            }
            let output = try ByteOutput(arguments["output"], forOwnerOnly: false)
            if isDataset {
                var writer = try NanoTDFDatasetWriter(sealer, to: key)
                try write(beginning, input, with: &writer, to: output)
            } else {
                try output.write(try sealer.seal(beginning, to: key).bytes)
            }
            try output.finish()
        } catch let error as NanoTDFError {
            throw CommandFailure(error, input.name)
        }
    }

    /// The key to seal to, and where its private half is.
    private func reader(
        _ kas: ResourceLocator
    ) async throws -> (key: EllipticCurve.PublicKey, kas: ResourceLocator) {
        if let path = arguments["public-key"] { return (try TDFKeyFile.publicKey(path), kas) }
        let published = try await PublishedKey(at: kas.url, authorities: arguments["tls-ca"])
        let identifier = arguments["kid"] ?? published.id
        return (published.key, try Self.locator(kas.url, option: "kas", identifier: identifier))
    }

    private func write(
        _ beginning: [UInt8], _ input: ByteInput, with writer: inout NanoTDFDatasetWriter, to output: ByteOutput
    ) throws {
        let count = NanoTDFDatasetWriter.customaryByteCount
        for start in stride(from: 0, to: beginning.count, by: count) {
            try output.write(try writer.append(beginning[start..<min(start + count, beginning.count)]))
        }
        while true {
            let bytes = try input.read(count)
            guard !bytes.isEmpty else { break }
            try output.write(try writer.append(bytes))
        }
        try output.write(try writer.finish())
    }

    private func policy() throws -> NanoTDFSealer.Policy {
        if let url = arguments["remote-policy"] { return .remote(try Self.locator(url, option: "remote-policy")) }
        let bytes = try arguments["policy"].map { path throws(CommandFailure) in
            try ByteInput(path).readAll(atMost: NanoTDF.Policy.byteLimit)
        }
        return arguments.has("encrypt-policy") ? .encrypted(bytes ?? []) : .plain(bytes ?? [])
    }

    private static func locator(
        _ url: String, option: String, identifier: String = ""
    ) throws(UsageError) -> ResourceLocator {
        do {
            return try ResourceLocator(url: url, identifier: identifier)
        } catch {
            throw UsageError("--\(option) \(url): \(error.message)")
        }
    }

    private static func binding(_ name: String) throws(UsageError) -> NanoTDFSealer.Binding {
        switch name {
        case "gmac": return .digest
        case "ecdsa": return .ecdsa
        default: throw UsageError("--binding takes gmac or ecdsa, not \"\(name)\"")
        }
    }

    private static func cipher(_ bits: String) throws(UsageError) -> NanoTDF.Cipher {
        guard let cipher = NanoTDF.Cipher.allCases.first(where: { String($0.tagByteCount * 8) == bits }) else {
            throw UsageError("--cipher takes 64, 96, 104, 112, 120 or 128, not \"\(bits)\"")
        }
        return cipher
    }
}
