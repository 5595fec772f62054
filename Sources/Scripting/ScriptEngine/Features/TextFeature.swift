internal import CJavaScriptCore

extension Feature {
    /// `TextEncoder` and `TextDecoder` of the Encoding Standard, for UTF-8, and to decode UTF-16LE.
    static let text = Feature(
        names: ["TextEncoder", "TextDecoder"],
        functions: [
            "encode": { arguments in Array(try arguments.string(0).utf8) },
            "encodeInto": { arguments in
                let memory = try arguments.context.bytes(at: arguments.reference(1))
                let (read, written) = encode(try arguments.string(0), into: memory)
                return [read, written]
            },
            "decodeUTF8": { arguments in
                try decode(arguments.context.bytes(at: arguments.reference(0)), as: UTF8.self, arguments)
            },
            "decodeUTF16": { arguments in
                let bytes = try arguments.context.bytes(at: arguments.reference(0))
                let units = (0..<bytes.count / 2).map { UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8 }
                return try decode(units, as: UTF16.self, arguments)
            },
        ],
        source: textSource)

    /// As much of `text` as fits, in whole characters; how much was read is counted in UTF-16 units.
    private static func encode(
        _ text: String, into memory: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int) {
        var read = 0
        var written = 0
        for scalar in text.unicodeScalars {
            let bytes = UTF8.width(scalar)
            guard written + bytes <= memory.count else { break }
            for byte in String(scalar).utf8 {
                memory[written] = byte
                written += 1
            }
            read += UTF16.width(scalar)
        }
        return (read, written)
    }

    /// `decode(bytes, isFatal)`
    private static func decode<Encoding: Unicode.Encoding>(
        _ units: some Collection<Encoding.CodeUnit>, as encoding: Encoding.Type, _ arguments: ScriptArguments
    ) throws(ScriptError) -> String {
        guard try arguments.bool(1) else { return String(decoding: units, as: encoding) }
        guard let text = String(validating: units, as: encoding) else {
            throw ScriptError(.exception, "The encoded data is not valid", name: "TypeError")
        }
        return text
    }
}

private let textSource = #"""
    (function ({ encode, encodeInto, decodeUTF8, decodeUTF16 }) {
        // Most encoded text is short ASCII, which is faster here than through a call to Swift.
        const short = 32;
        const putASCII = (text, bytes) => {
            if (text.length > short || text.length > bytes.length) return false;
            for (let index = 0; index < text.length; index++) {
                const unit = text.charCodeAt(index);
                if (unit > 0x7f) return false;
                bytes[index] = unit;
            }
            return true;
        };
        class TextEncoder {
            get encoding() { return "utf-8"; }
            encode(input = "") {
                const text = `${input}`;
                if (text.length <= short) {
                    const bytes = new Uint8Array(text.length);
                    if (putASCII(text, bytes)) return bytes;
                }
                return encode(text);
            }
            encodeInto(input, bytes) {
                if (!(bytes instanceof Uint8Array)) throw new TypeError("The destination is not a Uint8Array");
                const text = `${input}`;
                if (putASCII(text, bytes)) return { read: text.length, written: text.length };
                const [read, written] = encodeInto(text, bytes);
                return { read, written };
            }
        }

        // How many bytes at the end begin a character that is not complete.
        const tailUTF8 = (bytes) => {
            for (let length = 1; length <= 3 && length <= bytes.length; length++) {
                const lead = bytes[bytes.length - length];
                if ((lead & 0xc0) === 0x80) continue;
                const needed = lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
                if (length >= needed) return 0;
                const second = length > 1 ? bytes[bytes.length - length + 1] : undefined;
                const least = { 0xe0: 0xa0, 0xf0: 0x90 }[lead] ?? 0x80;
                const most = { 0xed: 0x9f, 0xf4: 0x8f }[lead] ?? 0xbf;
                return second === undefined || second >= least && second <= most ? length : 0;
            }
            return 0;
        };
        const tailUTF16 = (bytes) => {
            const odd = bytes.length % 2;
            const high = bytes[bytes.length - odd - 1];
            return bytes.length - odd >= 2 && high >= 0xd8 && high <= 0xdb ? odd + 2 : odd;
        };
        const labels = new Map([
            ...["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"]
                .map((label) => [label, "utf-8"]),
            ...["csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le"]
                .map((label) => [label, "utf-16le"]),
        ]);
        const view = (input) => {
            if (input === undefined) return new Uint8Array(0);
            if (input instanceof ArrayBuffer) return new Uint8Array(input);
            if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
            throw new TypeError("The input is neither a buffer nor a view of one");
        };
        class TextDecoder {
            #encoding; #fatal; #ignoreBOM;
            #rest = new Uint8Array(0);
            #isInside = false;
            constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
                this.#encoding = labels.get(`${label}`.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "").toLowerCase());
                if (this.#encoding === undefined) throw new RangeError(`The encoding ${label} is not supported`);
                this.#fatal = !!fatal;
                this.#ignoreBOM = !!ignoreBOM;
            }
            get encoding() { return this.#encoding; }
            get fatal() { return this.#fatal; }
            get ignoreBOM() { return this.#ignoreBOM; }
            decode(input, { stream = false } = {}) {
                let bytes = view(input);
                if (this.#rest.length > 0) {
                    const joined = new Uint8Array(this.#rest.length + bytes.length);
                    joined.set(this.#rest);
                    joined.set(bytes, this.#rest.length);
                    bytes = joined;
                    this.#rest = new Uint8Array(0);
                }
                const isFirst = !this.#isInside;
                this.#isInside = false;
                const isUTF8 = this.#encoding === "utf-8";
                if (stream) {
                    const end = bytes.length - (isUTF8 ? tailUTF8 : tailUTF16)(bytes);
                    this.#rest = bytes.slice(end);
                    bytes = bytes.subarray(0, end);
                }
                const text = isUTF8 ? this.#utf8(bytes) : this.#utf16(bytes);
                // The byte order mark can only be checked once bytes have arrived.
                this.#isInside = stream && (!isFirst || bytes.length > 0);
                return isFirst && !this.#ignoreBOM && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
            }
            #utf8(bytes) { return bytes.length === 0 ? "" : decodeUTF8(bytes, this.#fatal); }
            #utf16(bytes) {
                const odd = bytes.length % 2;
                if (odd === 1 && this.#fatal) throw new TypeError("The encoded data is not valid");
                return decodeUTF16(bytes, this.#fatal) + (odd === 1 ? "\ufffd" : "");
            }
        }
        return { TextEncoder, TextDecoder };
    })
    """#
