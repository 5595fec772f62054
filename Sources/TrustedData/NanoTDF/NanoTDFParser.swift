/// Reads NanoTDFs. It is total: whatever the bytes, it returns a value or throws.
enum NanoTDFParser {
    /// Reads a file of one payload.
    static func parse(
        _ bytes: [UInt8], recording: Bool = false
    ) throws(NanoTDFError) -> (value: NanoTDF, fields: [NanoTDF.Field]) {
        try choose { (form) throws(NanoTDFError) in
            var reader = FieldReader(bytes, recording: recording)
            let header = try reader.header(bindingAs: form)
            let payload = try reader.payload(cipher: header.cipher)
            let signature = try reader.signature(of: header)
            try reader.expectEnd()
            return (NanoTDF(header: header, payload: payload, signature: signature), reader.fields)
        } header: {
            $0.value.header
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
            // The first payload's length has to make sense, which tells the two forms of binding apart.
            _ = try reader.payloadByteCount(cipher: header.cipher)
            return (header, count)
        } header: {
            $0.header
        }
    }

    /// How the two halves of an ECDSA binding stand on the wire. Nothing in the file says which.
    enum BindingForm {
        case fixed
        case prefixed
    }

    /// Reads with that form of binding with which the whole adds up. If it adds up with both, the one whose signature is
    /// right is right.
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
