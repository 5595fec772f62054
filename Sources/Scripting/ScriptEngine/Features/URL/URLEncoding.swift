/// Percent-encoding: section 1.3 of the URL Standard.
let urlEncodingSource = #"""
    const codes = (text) => new Set([...text].map((letter) => letter.charCodeAt(0)));
    const join = (...sets) => new Set(sets.flatMap((set) => [...set]));
    const controls = new Set([...Array(0x20).keys(), 0x7f]);
    const inFragment = join(controls, codes(' "<>`'));
    const inQuery = join(controls, codes(' "#<>'));
    const inSpecialQuery = join(inQuery, codes("'"));
    const inPath = join(inQuery, codes("?^`{}"));
    const inUserinfo = join(inPath, codes("/:;=@[\\]|"));
    const inForm = join(inUserinfo, codes("$%&+,!'()~"));

    const percent = (byte) => "%" + byte.toString(16).toUpperCase().padStart(2, "0");
    const encode = (text, set) => {
        let encoded = "";
        for (const letter of text.toWellFormed()) {
            const code = letter.codePointAt(0);
            encoded += code > 0x7f ? encodeURIComponent(letter) : set.has(code) ? percent(code) : letter;
        }
        return encoded;
    };
    const decodePercent = (text) => {
        if (!text.includes("%")) return text.toWellFormed();
        const bytes = [];
        for (const piece of text.toWellFormed().split(/(%[0-9a-fA-F]{2})/)) {
            if (/^%[0-9a-fA-F]{2}$/.test(piece)) {
                bytes.push(parseInt(piece.slice(1), 16));
            } else {
                const encoded = encodeURIComponent(piece);
                for (let index = 0; index < encoded.length; index++) {
                    const isEscape = encoded[index] === "%";
                    bytes.push(isEscape ? parseInt(encoded.slice(index + 1, index + 3), 16) : encoded.charCodeAt(index));
                    if (isEscape) index += 2;
                }
            }
        }
        return decode(new Uint8Array(bytes));
    };

    """#
