extension NanoTDF {
    /// One field of a file, for people who want to see where everything is.
    public struct Field: Hashable, Sendable {
        /// Where it begins, in bytes from the start of the file.
        public let offset: Int
        /// What the file has at ``offset``.
        public let bytes: [UInt8]
        /// The name of the field, for example `ephemeral key`.
        public let name: String
        /// What the bytes mean; empty for those without a meaning of their own.
        public internal(set) var meaning: String

        /// The length in bytes.
        public var count: Int { bytes.count }
    }

    /// Every field of a file or a dataset, in order; together they cover all its bytes. If the bytes are not a NanoTDF:
    /// the fields before the first wrong one, and what is wrong with it.
    public static func inspect(_ bytes: some Collection<UInt8>) -> (fields: [Field], problem: NanoTDFError?) {
        NanoTDFParser.inspect(Array(bytes))
    }
}

/// Reads NanoTDFs. Any bytes give a value or an error.
enum NanoTDFParser {
    /// Reads a file of one payload.
    static func parse(_ bytes: [UInt8]) throws(NanoTDFError) -> NanoTDF {
        try choose { (form) throws(NanoTDFError) in
            var reader = FieldReader(bytes)
            let header = try reader.header(bindingAs: form)
            let payload = try reader.payload(cipher: header.cipher)
            let signature = try reader.signature(of: header)
            try reader.expectEnd()
            return NanoTDF(header: header, payload: payload, signature: signature)
        } header: {
            $0.header
        }
    }

    /// Reads a header that nothing follows.
    static func parseHeader(_ bytes: [UInt8]) throws(NanoTDFError) -> NanoTDF.Header {
        try choose { (form) throws(NanoTDFError) in
            var reader = FieldReader(bytes)
            let header = try reader.header(bindingAs: form)
            try reader.expectEnd()
            return header
        } header: {
            $0
        }
    }

    /// Reads the header at the front of a dataset, and says how long it is.
    static func parseDatasetHeader(_ bytes: [UInt8]) throws(NanoTDFError) -> (header: NanoTDF.Header, count: Int) {
        try choose { (form) throws(NanoTDFError) in
            var reader = FieldReader(bytes)
            let header = try reader.header(bindingAs: form)
            let count = reader.offset
            // The first payload's length has to make sense, which distinguishes the two forms of binding.
            _ = try reader.payloadByteCount(cipher: header.cipher)
            return (header, count)
        } header: {
            $0.header
        }
    }

    /// How the two halves of an ECDSA binding are written. The file does not say which form it uses.
    enum BindingForm {
        case fixed
        case prefixed
    }

    /// Tries both forms of binding and takes the one with which the rest can be read. If both can be read, it takes
    /// the one whose signature is valid.
    private static func choose<Result>(
        _ read: (BindingForm) throws(NanoTDFError) -> Result, header: (Result) -> NanoTDF.Header
    ) throws(NanoTDFError) -> Result {
        let fixed: Result
        do {
            fixed = try read(.fixed)
        } catch {
            guard let prefixed = try? read(.prefixed) else { throw error }
            return prefixed
        }
        guard header(fixed).binding.isECDSA, let prefixed = try? read(.prefixed),
            !header(fixed).isBindingSignatureValid, header(prefixed).isBindingSignatureValid
        else { return fixed }
        return prefixed
    }
}

extension NanoTDFParser {
    /// The fields of a file or a dataset up to the first error, and that error.
    static func inspect(_ bytes: [UInt8]) -> (fields: [NanoTDF.Field], problem: NanoTDFError?) {
        var reader = FieldReader(bytes, recording: true)
        do {
            var header = try headerForInspection(&reader, bytes)
            try reader.skipPayload(cipher: header.cipher)
            while header.signatureCurve == nil, reader.remaining > 0 {
                let rest = bytes[reader.offset...]
                if NanoTDF.Version.allCases.contains(where: { rest.starts(with: $0.magic) }) {
                    header = try headerForInspection(&reader, bytes)
                }
                try reader.skipPayload(cipher: header.cipher)
            }
            _ = try reader.signature(of: header)
            try reader.expectEnd()
            return (reader.fields, nil)
        } catch {
            return (reader.fields, error)
        }
    }

    private static func headerForInspection(
        _ reader: inout FieldReader, _ bytes: [UInt8]
    ) throws(NanoTDFError) -> NanoTDF.Header {
        // Only the whole file shows which form the binding has.
        let rest = Array(bytes[reader.offset...])
        let read = (try? parse(rest).header) ?? (try? parseDatasetHeader(rest).header)
        if case .prefixedSignature = read?.binding { return try reader.header(bindingAs: .prefixed) }
        return try reader.header(bindingAs: .fixed)
    }
}
