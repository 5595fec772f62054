extension Feature {
    /// `DOMException`, which other features throw.
    static let exceptions = Feature(
        names: ["DOMException"],
        source: """
            (function () {
                const codes = {
                    InvalidCharacterError: 5, TypeMismatchError: 17, QuotaExceededError: 22, DataCloneError: 25,
                };
                class DOMException extends Error {
                    #name;
                    constructor(message = "", name = "Error") {
                        super(message);
                        this.#name = `${name}`;
                    }
                    get name() { return this.#name; }
                    get code() { return codes[this.#name] ?? 0; }
                }
                return { DOMException };
            })
            """)
}
