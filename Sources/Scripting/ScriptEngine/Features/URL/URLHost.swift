/// Hosts: section 3 of the URL Standard. Hosts that cannot be parsed are `undefined`.
let urlHostSource = #"""
    const parseIPv4Number = (text) => {
        if (text === "") return undefined;
        const [, digits, radix] = /^0x/i.test(text) ? [0, text.slice(2), 16]
            : text.length > 1 && text[0] === "0" ? [0, text.slice(1), 8] : [0, text, 10];
        if (digits === "") return 0;
        const allowed = { 8: /^[0-7]+$/, 10: /^[0-9]+$/, 16: /^[0-9a-f]+$/i }[radix];
        return allowed.test(digits) ? parseInt(digits, radix) : undefined;
    };
    const endsInNumber = (host) => {
        const parts = host.split(".");
        if (parts.at(-1) === "" && parts.length > 1) parts.pop();
        return /^[0-9]+$/.test(parts.at(-1)) || parseIPv4Number(parts.at(-1)) !== undefined;
    };
    const parseIPv4 = (host) => {
        const parts = host.split(".");
        if (parts.at(-1) === "" && parts.length > 1) parts.pop();
        if (parts.length > 4) return undefined;
        const numbers = parts.map(parseIPv4Number);
        const last = numbers.pop();
        if (numbers.some((number) => number === undefined || number > 255)) return undefined;
        if (last === undefined || last >= 256 ** (4 - numbers.length)) return undefined;
        let address = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last);
        const bytes = [];
        for (; bytes.length < 4; address = Math.floor(address / 256)) bytes.unshift(address % 256);
        return bytes.join(".");
    };

    // Eight numbers of 16 bits.
    const parseIPv6 = (text) => {
        const halves = text.split("::");
        if (halves.length > 2) return undefined;
        const pieces = halves.map((half) => half === "" ? [] : half.split(":"));
        const final = pieces.at(-1);
        if (final.length > 0 && final.at(-1).includes(".")) {
            const parts = final.pop().split(".");
            const isPart = (part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256;
            if (parts.length !== 4 || !parts.every(isPart)) return undefined;
            const [a, b, c, d] = parts.map(Number);
            final.push((a * 256 + b).toString(16), (c * 256 + d).toString(16));
        }
        if (!pieces.flat().every((piece) => /^[0-9a-f]{1,4}$/i.test(piece))) return undefined;
        const missing = 8 - pieces.flat().length;
        if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
        return [...pieces[0], ...Array(missing).fill("0"), ...(pieces[1] ?? [])].map((piece) => parseInt(piece, 16));
    };
    const writeIPv6 = (numbers) => {
        // The first of the longest runs of zeros, if it is longer than one.
        let start = -1, length = 1;
        for (let index = 0; index < 8; index++) {
            let end = index;
            while (end < 8 && numbers[end] === 0) end++;
            if (end - index > length) [start, length] = [index, end - index];
        }
        const write = (part) => part.map((number) => number.toString(16)).join(":");
        if (start < 0) return `[${write(numbers)}]`;
        return `[${write(numbers.slice(0, start))}::${write(numbers.slice(start + length))}]`;
    };

    // RFC 3492
    const punycode = (label) => {
        const points = Array.from(label, (letter) => letter.codePointAt(0));
        let output = String.fromCodePoint(...points.filter((point) => point < 0x80));
        const basic = output.length;
        let handled = basic, limit = 0x80, delta = 0, bias = 72;
        if (basic > 0) output += "-";
        const digit = (value) => "abcdefghijklmnopqrstuvwxyz0123456789"[value];
        for (; handled < points.length; delta++, limit++) {
            const next = Math.min(...points.filter((point) => point >= limit));
            delta += (next - limit) * (handled + 1);
            limit = next;
            for (const point of points) {
                if (point < limit) delta++;
                if (point !== limit) continue;
                let rest = delta;
                for (let k = 36; ; k += 36) {
                    const threshold = Math.min(Math.max(k - bias, 1), 26);
                    if (rest < threshold) break;
                    output += digit(threshold + (rest - threshold) % (36 - threshold));
                    rest = Math.floor((rest - threshold) / (36 - threshold));
                }
                output += digit(rest);
                delta = handled === basic ? Math.floor(delta / 700) : Math.floor(delta / 2);
                delta += Math.floor(delta / (handled + 1));
                let k = 0;
                for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
                bias = k + Math.floor(36 * delta / (delta + 38));
                delta = 0;
                handled++;
            }
        }
        return output;
    };
    const toASCII = (domain) => {
        if (/^[\x00-\x7f]*$/.test(domain)) return domain.toLowerCase();
        const mapped = domain.replace(/[\u00ad\u200b\u2060\ufeff]/g, "").normalize("NFKC").toLowerCase().normalize("NFC");
        return mapped.replace(/\u3002/g, ".").split(".")
            .map((label) => /^[\x00-\x7f]*$/.test(label) ? label : `xn--${punycode(label)}`).join(".");
    };

    const parseHost = (text, isSpecial) => {
        if (text.startsWith("[")) {
            const numbers = text.endsWith("]") ? parseIPv6(text.slice(1, -1)) : undefined;
            return numbers && writeIPv6(numbers);
        }
        if (!isSpecial) return /[\0\t\n\r #/:<>?@[\\\]^|]/.test(text) ? undefined : encode(text, controls);
        const domain = toASCII(decodePercent(text));
        if (domain === "" || /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/.test(domain)) return undefined;
        return endsInNumber(domain) ? parseIPv4(domain) : domain;
    };

    """#
