extension Feature {
    /// `atob` and `btoa` of the HTML Standard.
    static let base64 = Feature(
        names: ["atob", "btoa"],
        source: #"""
            (function () {
                const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
                const values = new Map([...alphabet].map((letter, value) => [letter, value]));
                const refuse = (what) => { throw new DOMException(what, "InvalidCharacterError"); };
                // Text is joined from pieces that are short enough to be arguments.
                const join = (units) => {
                    let text = "";
                    for (let start = 0; start < units.length; start += 8192) {
                        text += String.fromCharCode(...units.subarray(start, start + 8192));
                    }
                    return text;
                };
                const btoa = (input) => {
                    const text = `${input}`;
                    const units = new Uint8Array(Math.ceil(text.length / 3) * 4);
                    for (let index = 0, end = 0; index < text.length; index += 3) {
                        let group = 0;
                        for (let offset = 0; offset < 3; offset++) {
                            const unit = index + offset < text.length ? text.charCodeAt(index + offset) : 0;
                            if (unit > 0xff) refuse("The string has characters beyond Latin 1");
                            group = group << 8 | unit;
                        }
                        const length = Math.min(4, text.length - index + 1);
                        for (let place = 0; place < 4; place++) {
                            const letter = place < length ? alphabet[group >> 18 - 6 * place & 63] : "=";
                            units[end++] = letter.charCodeAt(0);
                        }
                    }
                    return join(units);
                };
                const atob = (input) => {
                    let text = `${input}`.replace(/[\t\n\f\r ]/g, "");
                    if (text.length % 4 === 0) text = text.replace(/==?$/, "");
                    if (text.length % 4 === 1) refuse("The string is not Base64");
                    const units = new Uint8Array(Math.floor(text.length * 3 / 4));
                    let group = 0, end = 0;
                    for (let index = 0; index < text.length; index++) {
                        group = group << 6 | (values.get(text[index]) ?? refuse("The string is not Base64"));
                        if (index % 4 === 0) continue;
                        units[end++] = group >> 6 - 2 * (index % 4) & 0xff;
                    }
                    return join(units);
                };
                return { atob, btoa };
            })
            """#)
}
