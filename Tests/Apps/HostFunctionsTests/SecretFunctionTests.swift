import Components
import Cryptography
import HostFunctions
import Storage
import Synchronization
import Testing

@Suite("Keys and boxes")
struct SecretFunctionTests {
    private let place: TestFolder

    init() throws { place = try TestFolder() }

    private func crypt(_ function: String, _ name: String, _ data: [UInt8], _ store: KeyStore) async throws -> [UInt8] {
        try await JoinedPorts(store.functions).call(
            "keystore_\(function)", KeystoreOpProto.CryptArgs(keyName: name, data: data))
    }

    @Test("A key is made at its first use and stays", arguments: [false, true])
    func keyStore(hasVault: Bool) async throws {
        let vault = try hasVault ? Vault.create(in: place.path, protection: .deviceKey) : nil
        let keys = KeyFiles(folder: place.root, vault: vault)
        let secret = SecureRandom.bytes(32)
        let sealed = try await crypt("encrypt", "login-key", secret, KeyStore(keys: keys))
        #expect(sealed.count == secret.count + 28)
        let again = KeyStore(keys: keys)
        #expect(try await crypt("decrypt", "login-key", sealed, again) == secret)
        let other = try await crypt("encrypt", "login-key", secret, again)
        #expect(other != sealed)
        await #expect(throws: NativeError.self) { try await crypt("decrypt", "other-key", sealed, again) }
        await #expect(throws: NativeError.self) {
            try await crypt("decrypt", "login-key", Array(sealed.dropLast()), again)
        }
        await #expect(throws: NativeError.self) { try await crypt("decrypt", "login-key", [], again) }
        #expect(try place.names("root") == ["login-key.key", "other-key.key"])
        #expect(try place.permissions(of: "root/login-key.key") == 0o600)
        // 16 bytes of AES-128, laid out as nonce, cipher text and tag.
        if vault == nil {
            let key = SecretBytes(copying: try place.bytes("root/login-key.key"))
            #expect(key.count == 16)
            #expect(try AESGCM.open(sealed, key: key) == secret)
        }
    }

    @Test("Names of keys cannot be paths", arguments: ["", "../x", "a/b", "A", "ä", String(repeating: "a", count: 65)])
    func keyNames(name: String) async throws {
        let store = KeyStore(keys: KeyFiles(folder: place.root, vault: nil))
        await #expect(throws: NativeError.self) { try await crypt("encrypt", name, [1], store) }
    }

    @Test("A damaged key is not replaced by a new one")
    func damagedKey() async throws {
        try place.write("short", to: "root/login-key.key")
        let store = KeyStore(keys: KeyFiles(folder: place.root, vault: nil))
        await #expect(throws: NativeError.self) { try await crypt("encrypt", "login-key", [1], store) }
        #expect(try place.read("root/login-key.key") == "short")
    }

    @Test("Secret boxes of NaCl open and close, and tampered ones give nothing")
    func boxes() async throws {
        let ports = JoinedPorts(SecretBoxFunctions.functions)
        // The vector of NaCl's own tests (secretbox.c).
        let key = hex("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389")
        let nonce = hex("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37")
        let plain = hex(
            "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705"
        )
        let tag = hex("f3ffc7703f9400e52a7dfb4b3d3305d9")
        let box = try await ports.call("nacl_sbox_pack", NaclOpProto.PackArgs(m: plain, n: nonce, k: key))
        #expect(Array(box.prefix(16)) == tag && box.count == plain.count + 16)
        #expect(try await ports.call("nacl_sbox_open", NaclOpProto.OpenArgs(c: box, n: nonce, k: key)) == plain)
        var tampered = box
        tampered[20] ^= 1
        for bad in [tampered, Array(box.dropLast()), [], Array(box.prefix(16))] {
            #expect(try await ports.call("nacl_sbox_open", NaclOpProto.OpenArgs(c: bad, n: nonce, k: key)).isEmpty)
        }
        await #expect(throws: NativeError.self) {
            try await ports.call("nacl_sbox_open", NaclOpProto.OpenArgs(c: box, n: [1], k: key))
        }
        let empty = try await ports.call("nacl_sbox_pack", NaclOpProto.PackArgs(m: [], n: nonce, k: key))
        #expect(empty.count == 16)
    }

    @Test("scrypt answers with the key, and tells when it begins")
    func scrypt() async throws {
        let replies = Mutex<[PortMessage]>([])
        let port = ScryptPort { message in replies.withLock { $0.append(message) } }
        let arguments = CryptorProto.Request.ScryptArgs(
            passwd: Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8), logN: 10, r: 1, p: 2, dkLen: 40)
        let request = FnCallsProto.RequestWithinCallIntoAndroid(id: 7, args: arguments.encoded).encoded
        #expect(port.receive(PortMessage(port: "scrypt", bytes: request)))
        #expect(!port.receive(PortMessage(port: "delay", bytes: request)))
        while replies.withLock({ $0.last?.port != "scrypt" }) { try await Task.sleep(for: .milliseconds(5)) }
        let messages = replies.withLock { $0 }
        let key = try Scrypt.derive(
            SecretBytes(copying: arguments.passwd), salt: arguments.salt, cost: Scrypt.Cost(logN: 10, r: 1, p: 2),
            count: 40)
        let reply = try FnCallsProto.ReplyWithinCall(decoding: messages.last?.bytes ?? [])
        #expect(reply.id == 7 && SecretBytes(copying: reply.res) == key)
        let progress = try messages.dropLast().map { try FnCallsProto.ReplyWithinCall(decoding: $0.bytes) }
        #expect(messages.dropLast().allSatisfy { $0.port == "scrypt/progress" } && progress.allSatisfy { $0.id == 7 })
        #expect(progress.map(\.res) == [[0]])
    }

    @Test(
        "A cost that no machine should pay is refused",
        arguments: [(30, 8, 1), (19, 200, 1), (14, 8, 300), (20, 16, 1), (0, 8, 1)])
    func scryptCosts(cost: (UInt32, UInt32, UInt32)) throws {
        let replies = Mutex<[PortMessage]>([])
        let port = ScryptPort { message in replies.withLock { $0.append(message) } }
        let arguments = CryptorProto.Request.ScryptArgs(
            passwd: [], salt: [], logN: cost.0, r: cost.1, p: cost.2, dkLen: 32)
        let request = FnCallsProto.RequestWithinCallIntoAndroid(id: 1, args: arguments.encoded).encoded
        #expect(port.receive(PortMessage(port: "scrypt", bytes: request)))
        let reply = try FnCallsProto.ReplyWithinCall(decoding: replies.withLock { $0.last?.bytes ?? [] })
        #expect(reply.err == "the cost of scrypt is out of bounds")
    }

    private func hex(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap { index in
            UInt8(text.dropFirst(index).prefix(2), radix: 16)
        }
    }
}
