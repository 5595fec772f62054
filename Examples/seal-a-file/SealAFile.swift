import Cryptography
import NanoTDF

/// Seals a text to the owner of a key and opens it again: `swift run seal-a-file`.
@main
enum SealAFile {
    static func main() throws {
        let reader = try EllipticCurve.PrivateKey(.p256)
        let sealer = try NanoTDFSealer(
            kas: ResourceLocator(url: "https://kas.example.com", identifier: "e1"),
            policy: .plain(Array(#"{"uuid":"1","body":{"dataAttributes":[],"dissem":[]}}"#.utf8)))
        let file = try sealer.seal(Array("At eight, by the bridge.".utf8), to: reader.publicKey).bytes
        print("sealed into \(file.count) bytes:")
        for field in NanoTDF.inspect(file).fields { print("  \(field.offset)  \(field.name)  \(field.meaning)") }

        let opened = try NanoTDF(file).open(with: reader)
        print("opened: \(String(decoding: opened.plaintext, as: UTF8.self))")
    }
}
