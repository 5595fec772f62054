import Cryptography
import KeyAccess
import NanoTDF
import Networking

/// What opens a NanoTDF: a private key, or a key access service that has it.
enum TDFOpeningKey {
    case privateKey(EllipticCurve.PrivateKey)
    case service(KeyAccessClient)

    static let options: [Arguments.Option] = [
        .value("private-key", "KEY", "a file: PEM or DER, PKCS#8 or SEC 1"),
        .value("kas", "URL", "ask this key access service for the key; the address in the file is not believed"),
        .value("token", "FILE", "with --kas: the access token is in this file"),
        .value("signing-key", "KEY", "with --kas: sign the request with this private key, which the service knows"),
        .value("tls-ca", "FILE", "with --kas: PEM file with the authorities to check its certificate against"),
    ]

    private static let tokenByteLimit = 16_384

    init(_ arguments: Arguments) throws {
        guard let address = arguments["kas"] else {
            self = .privateKey(try TDFKeyFile.privateKey(arguments["private-key"] ?? ""))
            return
        }
        let trust = TLSTrust.of(arguments["tls-ca"])
        let signingKey = try arguments["signing-key"].map { path throws(CommandFailure) in
            try TDFKeyFile.privateKey(path)
        }
        do {
            self = .service(
                try KeyAccessClient(address, token: Self.token(arguments), signingKey: signingKey, trust: trust))
        } catch let error as KeyAccessError {
            throw CommandFailure(error)
        }
    }

    private static func token(_ arguments: Arguments) throws -> SecretBytes? {
        guard let path = arguments["token"] else { return nil }
        var bytes = try ByteInput(path).readAll(atMost: tokenByteLimit)
        defer { for index in bytes.indices { bytes[index] = 0 } }
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }
        let token = bytes.drop(while: isBlank).prefix { !isBlank($0) }
        guard !token.isEmpty else { throw CommandFailure("\(path) holds no token", .dataError) }
        guard bytes[token.endIndex...].allSatisfy(isBlank) else {
            throw CommandFailure("\(path) holds more than one word; a token has no blanks in it", .dataError)
        }
        return SecretBytes(copying: token)
    }

    func open(_ file: NanoTDF, allowing leniency: NanoTDF.Leniency) async throws -> NanoTDF.Opened {
        switch self {
        case .privateKey(let key): try file.open(with: key, allowing: leniency)
        case .service(let client):
            try file.open(payloadKey: await Self.payloadKey(of: file.header, from: client), allowing: leniency)
        }
    }

    func dataset(
        beginning: [UInt8], allowing leniency: NanoTDF.Leniency
    ) async throws -> NanoTDFDatasetReader {
        switch self {
        case .privateKey(let key): return NanoTDFDatasetReader(with: key, allowing: leniency)
        case .service(let client):
            let header = try NanoTDF.Header.beginning(beginning)
            return NanoTDFDatasetReader(
                payloadKey: try await Self.payloadKey(of: header, from: client), allowing: leniency)
        }
    }

    private static func payloadKey(
        of header: NanoTDF.Header, from client: KeyAccessClient
    ) async throws -> SecretBytes {
        do {
            return try await client.payloadKey(of: header)
        } catch {
            throw CommandFailure(error)
        }
    }
}
