extension Feature {
    /// `crypto.getRandomValues` and `crypto.randomUUID`, with the kernel's random bytes.
    static let crypto = Feature(
        names: ["crypto"],
        functions: [
            "fill": { arguments in
                let memory = try arguments.context.bytes(at: arguments.reference(0))
                memory.copyBytes(from: arguments.context.configuration.random(memory.count))
                return ScriptData.undefined
            }
        ],
        source: """
            (function ({ fill }) {
                const integers = [
                    Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
                    BigInt64Array, BigUint64Array,
                ];
                const getRandomValues = (array) => {
                    if (!integers.some((type) => array instanceof type)) {
                        throw new DOMException("The argument is not an integer typed array", "TypeMismatchError");
                    }
                    if (array.byteLength > 65536) {
                        throw new DOMException("More than 65536 bytes were asked for", "QuotaExceededError");
                    }
                    if (array.byteLength > 0) fill(array);
                    return array;
                };
                const randomUUID = () => {
                    const bytes = getRandomValues(new Uint8Array(16));
                    bytes[6] = bytes[6] & 0x0f | 0x40;
                    bytes[8] = bytes[8] & 0x3f | 0x80;
                    const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
                    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
                };
                return { crypto: { getRandomValues, randomUUID } };
            })
            """)
}
