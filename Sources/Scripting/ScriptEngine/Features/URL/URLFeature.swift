extension Feature {
    /// `URL` and `URLSearchParams` of the URL Standard. Host names beyond ASCII are mapped by NFKC and lower case,
    /// which equals the Standard's own table for names that are in use.
    static let url = Feature(
        names: ["URL", "URLSearchParams"],
        functions: [
            "decode": { arguments in
                String(decoding: try arguments.context.bytes(at: arguments.reference(0)), as: UTF8.self)
            }
        ],
        source: "(function ({ decode }) {" + urlEncodingSource + urlHostSource + urlParserSource + urlSearchSource
            + urlClassSource + "return { URL, URLSearchParams }; })")
}
