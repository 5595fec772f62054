import Cryptography
import Foundation
import NanoTDF
import Testing

/// A file of another program, with its content.
struct NanoTDFVector: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    /// The reader's private key: PKCS#8 in base64.
    let key: String
    let secret: String
    let payloadKey: String
    let plaintext: String
    let nonceRule: NanoTDF.NonceRule
    let headerByteCount: Int

    var testDescription: String { name }
    var bytes: [UInt8] { hex(file) }
    var privateKey: EllipticCurve.PrivateKey {
        get throws {
            let der = try #require(Data(base64Encoded: key))
            return try EllipticCurve.PrivateKey(file: SecretBytes(copying: der))
        }
    }

    /// The specification, section 6.1: ECDSA binding, signed, 64-bit tag.
    static let signed = NanoTDFVector(
        name: "specification 6.1",
        file: """
            4c314c 010e6b61732e7669727472752e636f6d 80 80
            00 01156b61732e7669727472752e636f6d2f706f6c696379
            b5e413a60211e5f17b2234a0cd3f36ff7bba6d8fe8df23f62c9d09356f8582f8
            a9cf15126c8a9da46c5e4e0cbcc8269719ac051b80625cc75403036ffb82871f
            02f77fbae52609dac5e8ebf786e11b7aedd70f8980f9480c7e671cbaab8e245092
            000010 9ebd09 1752268e03 f9fd8014af7ccb06
            02d5cfb97f5524c5903f627362059336aa71a4c2ee16d05b78340397e2ae071d2e
            9d9b8ae330ef7023ea5699b5204bbc7d568dfffa3ffa5357e1fcd290f31ad1ef
            62ce46f0d95df4316bcaf3728d4f75cd1595010bf2042074ac94de2976ba02f3
            """,
        key: """
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRywXmrI1J07LZni8xaoKhXj8WbdDHdjdN62+tgxjdhihRANCAARon4RjqRNA40eEdBT1\
            72emATq3I2siKccLcXl07nTrbAu4enVDo9T4LfQ4eZ0yx/KkIX2HylxzkAEoBxzVpBLN
            """,
        secret: "7400aa97800932032eb89f7582ff5d1ef076d7ea78656f977ba0742e150cbb88",
        payloadKey: "671e094b808e8d51b816581ab65a4aec02906e28f81159c4210b93086a78a163",
        plaintext: "DON'T", nonceRule: .bare, headerByteCount: 142)

    /// The specification, section 6.2: ECDSA binding, 128-bit tag, a signature's curve without a signature.
    static let unsigned = NanoTDFVector(
        name: "specification 6.2",
        file: """
            4c314c 010f6b61732e6578616d706c652e636f6d 80 35
            00 011d6b61732e6578616d706c652e636f6d2f706f6c6963792f616263646566
            61aa068d76c20df3a563763398629f523072d086d44d4be66e2574e13bc32cc7
            022a4cdc7aa7efcba603c1983f8772ef1d10e82e0d4006f4bddd927879356673
            03e8b33f449a73927713d4a4a2b4e5e9452e2f0534339d35911bdfa15ee18b3adb
            00002b 50e49c faab691852261b2d6360831acbd5f203fbef17f946befec7
            9ee5119ba092333b2c0eeacb9e2f8dc8
            """,
        key: """
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWmLjd6gDd2rwU48m2vVsDfVJ6fKCYt4yZA8kSu9O3hehRANCAAQwmFsrcVyKJpSQBMVV\
            rIZ0v0XIin+BSdS/ENvcyIc2YKKIK43zkpPR13ibjsy1UhZJItQFlBChYCFDPUkANqcs
            """,
        secret: "f7d1b6c5fa8953535385e9fb54c661a910c81783d30522b176a59a1a4951b111",
        payloadKey: "43b4bdf463d0f7e2d1cf7159f514905304b6265b994fb1df7da7c00e596532fb",
        plaintext: "Keep this message secret", nonceRule: .bare, headerByteCount: 151)

    /// The deployed dialect, with a plain policy. otdf-python and the JavaScript SDK read it.
    static let plainPolicy = NanoTDFVector(
        name: "deployed, plain policy",
        file: """
            4c314c110f6b61732e6578616d706c652e636f6d653100050100357b2275756964223a2231222c22626f6479223a7b226461746141747472
            696275746573223a5b5d2c2264697373656d223a5b5d7d7d2ef4cf7f42e434b8033c0f2f81094c81534aaefe525648843d3a801ecdeacdd2
            68f9db92fdbbff677200002100002aa7080c5f1949942572b9e83a0cda75f52e837e94c9e4d7089430ca96f29d
            """,
        key: deployedKey,
        secret: "55d1aefefa12d146c4b63165f8dffe4a02b6ca5fcffd97895476df7bc1d89170",
        payloadKey: "88b13e738c833266df4039e0b7e6f1ad94d5e4522983d79b33ed85bb651c14c8",
        plaintext: "one-time hello", nonceRule: .zerosBefore, headerByteCount: 121)

    /// The deployed dialect, with an encrypted policy and 96-bit tags.
    static let encryptedPolicy = NanoTDFVector(
        name: "deployed, encrypted policy",
        file: """
            4c314c110f6b61732e6578616d706c652e636f6d65310001020041451e0a8f031285abb90aae029ab06bb2feed7224e0a83b4c9c21653e79
            e924a65a466aec404ed19c58a5a23a301a7e8f558d6fb43c3a216b17f8e01b93c3a59dc2276003e7134be7e703d17d25375e60c221eb54d1
            8c8f1b38a09f2e1ee133c1c94d82c64aad5ba16735
            00001d000001771ae29be486d8b8e5ac1650eebf99a02c49af65c5e1a815d5f3
            """,
        key: deployedKey,
        secret: "b86643a6e02a449adc6256f590a2ddddff87de0a78e0f51e1e86d12e5cbd6ee5",
        payloadKey: "eb37b43ae8cfc6c3be563bc456ff2d31f84d195d65d63df5b4deb3ad66e7866c",
        plaintext: "one-time hello", nonceRule: .zerosBefore, headerByteCount: 133)

    static let all = [signed, unsigned, plainPolicy, encryptedPolicy]

    /// The content of both files of the deployed dialect.
    static let deployedPolicy = #"{"uuid":"1","body":{"dataAttributes":[],"dissem":[]}}"#
    /// SEC 1 without the public part.
    private static let deployedKey: String = {
        let scalar = hex("4d541e404deb23d1e4e159f459e553658824a7393d3648df40de14be61166da9")
        return Data(hex("30310201010420") + scalar + hex("a00a06082a8648ce3d030107")).base64EncodedString()
    }()
}

/// Decodes hexadecimal digits and skips blanks.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
