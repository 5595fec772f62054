import Foundation
import ProgramRunner
import Testing

/// `alcove tdf`, with keys that `openssl` makes, as a script would use it.
@Suite(.timeLimit(.minutes(10)))
struct TDFTests {
    private static let curves = ["prime256v1", "secp384r1", "secp521r1"]

    @Test(arguments: curves)
    func `keys of every curve and encoding open what was sealed to them`(curve: String) async throws {
        try await inFolder { folder in
            try await shell(
                "openssl ecparam -name \(curve) -genkey -out sec1.pem && openssl pkey -in sec1.pem -out pkcs8.pem",
                folder)
            try await shell("openssl ec -in sec1.pem -outform DER -out sec1.der", folder)
            try await shell("openssl pkcs8 -topk8 -nocrypt -in sec1.pem -outform DER -out pkcs8.der", folder)
            try await shell("openssl pkey -in sec1.pem -pubout -out spki.pem", folder)
            try await shell("openssl pkey -in sec1.pem -pubout -outform DER -out spki.der", folder)
            try await shell("openssl req -new -x509 -key sec1.pem -subj /CN=kas -out cert.pem", folder)
            try await shell(
                "openssl ec -in sec1.pem -pubout -conv_form compressed -outform DER | tail -c \(size(curve)) > point",
                folder)
            try await shell("echo the letter > letter", folder)
            let keys = zip(
                ["spki.pem", "spki.der", "cert.pem", "point"], ["sec1.pem", "pkcs8.pem", "sec1.der", "pkcs8.der"])
            for (publicKey, privateKey) in keys {
                let sealed =
                    "\(alcove) tdf seal --public-key \(publicKey) --kas https://kas.example.com --kid e1 letter"
                let output = try await shell("\(sealed) | \(alcove) tdf open --private-key \(privateKey) -", folder)
                #expect(output == "the letter\n")
            }
        }
    }

    @Test(arguments: [
        "", "--binding ecdsa", "--policy policy", "--policy policy --encrypt-policy --cipher 64",
        "--remote-policy https://example.com/policy --cipher 96", "--sign key.pem", "--dataset",
    ])
    func `every way to seal opens again, and inspect accounts for every byte`(options: String) async throws {
        try await inFolder { folder in
            try await makeKey(folder)
            try await shell("echo who may read > policy && echo the letter > letter", folder)
            try await shell("\(seal) \(options) letter -o sealed", folder)
            #expect(try await shell("\(open) sealed", folder) == "the letter\n")
            let json = try await shell("\(alcove) tdf inspect --json sealed", folder)
            let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let fields = try #require(report["fields"] as? [[String: Any]])
            let lengths = fields.compactMap { $0["length"] as? Int }
            let size = try Data(contentsOf: folder.appending(path: "sealed")).count
            #expect(lengths.count == fields.count && lengths.reduce(0, +) == size && report["bytes"] as? Int == size)
            let table = try await shell("\(alcove) tdf inspect sealed", folder)
            #expect(table.contains("L1L") && table.contains("kas.example.com"))
        }
    }

    @Test func `a file opens only if the named key signed it`() async throws {
        try await inFolder { folder in
            try await makeKey(folder)
            try await shell("openssl ecparam -name prime256v1 -genkey -noout -out ann.pem", folder)
            try await shell("openssl pkey -in ann.pem -pubout -out ann-public.pem", folder)
            try await shell("openssl pkey -in key.pem -pubout -outform DER -out key-public.der", folder)
            try await shell("echo the letter > letter && \(seal) letter -o unsigned", folder)
            try await shell("\(seal) --sign ann.pem letter -o signed && \(seal) --dataset letter -o many", folder)
            #expect(try await shell("\(open) --signed-by ann-public.pem signed", folder) == "the letter\n")
            for (words, status, sentence) in [
                ("--signed-by key-public.der signed", 77, "another key signed it"),
                ("--signed-by ann-public.pem unsigned", 65, "nobody signed it"),
                ("--signed-by ann-public.pem many", 65, "nobody signed it"),
                ("--signed-by nowhere.pem signed", 66, "nowhere.pem"), ("--signed-by letter signed", 65, "letter"),
            ] {
                let output = try await shell("\(open) -o opened \(words) 2>&1; echo status $?; ls", folder)
                #expect(output.contains("status \(status)") && output.contains(sentence), "\(words): \(output)")
                #expect(!output.contains("opened\n"), "nothing is written")
            }
        }
    }

    @Test func `other containers are named`() async throws {
        try await inFolder { folder in
            try await makeKey(folder)
            try await shell(
                "printf 'PK\\003\\004rest' > a.tdf && printf '{\"schemaVersion\":\"4.3.0\"}' > b.tdf"
                    + " && printf '\\331\\331\\367\\242aaab' > c.tdf && printf '\\242aaab' > d.tdf && printf 'hello' > e.tdf",
                folder)
            for (file, word) in [("a", "ZIP"), ("b", "JSON"), ("c", "CBOR"), ("d", "CBOR"), ("e", "L1L or L1M")] {
                let output = try await shell("\(open) \(file).tdf 2>&1; echo status $?", folder)
                #expect(output.contains(word) && output.contains("status 65"), "\(output)")
                #expect(try await shell("\(alcove) tdf inspect \(file).tdf 2>&1; true", folder).contains(word))
            }
        }
    }

    @Test func `what does not fit one payload becomes a dataset, and comes out the same`() async throws {
        try await inFolder { folder in
            try await makeKey(folder)
            try await shell("head -c 18000000 /dev/urandom > film && \(seal) film -o sealed", folder)
            try await shell("\(open) sealed | cmp - film", folder)
            let json = try await shell("\(open) sealed -o again --json && cmp again film", folder)
            #expect(json.contains(#""payloads":19"#) && json.contains(#""bytes":18000000"#))
            // Without its end: the last payload is 3 + 3 + 16 bytes.
            try await shell("head -c -22 sealed > cut", folder)
            #expect(try await status("\(open) cut -o nothing", folder) == 65)
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "nothing").path))
            try await shell("\(open) cut --allow cut-off | cmp - film", folder)
        }
    }

    @Test func `what is wrong is told apart`() async throws {
        try await inFolder { folder in
            try await makeKey(folder)
            try await shell("openssl ecparam -name prime256v1 -genkey -noout -out other.pem", folder)
            try await shell("openssl pkcs8 -topk8 -in key.pem -passout pass:secret -out locked.pem", folder)
            try await shell("echo who > policy && echo the letter > letter && : > empty && mkdir folder", folder)
            try await shell(
                "\(seal) --policy policy letter -o sealed && \(seal) --sign other.pem letter -o signed", folder)
            try await shell(
                "sed 's/who/you/' sealed > policy-changed && sed 's/kas[.]example/kas.exampel/' signed > signed-changed",
                folder)
            let cases: [(command: String, status: Int32, words: String)] = [
                ("\(alcove) tdf open --private-key other.pem sealed", 77, "private key"),
                ("\(alcove) tdf open --private-key other.pem signed", 77, "sealed to another key"),
                ("\(open) policy-changed", 65, "--allow wrong-binding"),
                ("\(open) signed-changed", 65, "--allow wrong-signature"),
                ("\(open) letter", 65, "L1L"), ("\(open) empty", 65, "empty"), ("\(open) folder", 66, "folder"),
                ("\(open) missing", 66, "no file"), ("\(alcove) tdf inspect policy", 65, "L1L"),
                ("\(alcove) tdf open --private-key locked.pem sealed", 65, "passphrase"),
                ("\(alcove) tdf open --private-key public.pem sealed", 65, "no private key"),
                ("\(alcove) tdf open sealed", 64, "--private-key"), ("\(open) --json sealed", 64, "--output"),
                ("\(seal) --cipher 127 letter", 64, "128"),
                ("\(seal) --policy empty --remote-policy http://a letter", 64, "exclude"),
                ("\(alcove) tdf seal --public-key public.pem --kas kas letter", 64, "https://"),
                ("\(seal) letter -o folder/no/where", 73, "cannot be written"),
                ("\(seal) --sign key.pem --dataset letter", 65, "--sign"),
            ]
            for (command, status, words) in cases {
                let result = try await run(command, folder)
                #expect(result.status == status && result.output.contains(words), "\(command): \(result)")
            }
            #expect(try await shell("\(open) --allow wrong-binding policy-changed", folder) == "the letter\n")
            // A reader that has seen enough.
            try await shell("head -c 3000000 /dev/zero > zeros && \(seal) zeros -o large", folder)
            let words = try await shell("(\(open) large; echo $? >&2) 2>&1 >/dev/full", folder)
            #expect(words.contains("cannot be written") && words.hasSuffix("74\n"))
        }
    }

    private var alcove: String { "'\(AlcoveProcess.program)'" }
    private var seal: String { "\(alcove) tdf seal --public-key public.pem --kas https://kas.example.com --kid e1" }
    private var open: String { "\(alcove) tdf open --private-key key.pem" }

    private func makeKey(_ folder: URL) async throws {
        try await shell("openssl ecparam -name prime256v1 -genkey -noout -out key.pem", folder)
        try await shell("openssl pkey -in key.pem -pubout -out public.pem", folder)
    }

    /// The length of a compressed point.
    private func size(_ curve: String) -> Int { ["prime256v1": 33, "secp384r1": 49][curve] ?? 67 }

    /// What a command that succeeds prints on standard output.
    @discardableResult
    private func shell(_ command: String, _ folder: URL) async throws -> String {
        let result = try await run("(\(command)) 2>errors || { cat errors; exit 1; }", folder)
        #expect(result.status == 0, "\(command): \(result.output)")
        return result.output
    }

    private func status(_ command: String, _ folder: URL) async throws -> Int32 {
        try await run(command, folder).status
    }

    private func run(_ command: String, _ folder: URL) async throws -> Program.Result {
        let line = "cd '\(folder.path)' || exit 1\n" + command
        return try await Program.completion(of: ["bash", "-o", "pipefail", "-c", line])
    }

    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tdf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
