/// Parsing and writing: section 4 of the URL Standard. A URL is a record
/// `{ scheme, username, password, host, port, path, query, fragment }`; an opaque path is a string, any other an array.
let urlParserSource = #"""
    const ports = new Map([["http", 80], ["https", 443], ["ws", 80], ["wss", 443], ["ftp", 21], ["file", null]]);
    const isSpecial = (url) => ports.has(url.scheme);
    const isOpaque = (url) => typeof url.path === "string";
    const isDrive = (text) => /^[a-z][:|]$/i.test(text);
    const startsWithDrive = (text) => /^[a-z][:|]([/\\?#]|$)/i.test(text);
    const clean = (text) => text.replace(/[\t\n\r]/g, "");

    const shorten = (url) => {
        if (url.scheme === "file" && url.path.length === 1 && /^[a-z]:$/i.test(url.path[0])) return;
        url.path.pop();
    };
    const appendPath = (url, text) => {
        const segments = text.split(isSpecial(url) ? /[/\\]/ : "/");
        segments.forEach((segment, index) => {
            const isLast = index === segments.length - 1;
            const dots = segment.replace(/%2e/gi, ".");
            if (dots === "..") shorten(url);
            if (dots === ".." || dots === ".") {
                if (isLast) url.path.push("");
            } else if (url.scheme === "file" && url.path.length === 0 && isDrive(segment)) {
                url.path.push(`${segment[0]}:`);
            } else {
                url.path.push(encode(segment, inPath));
            }
        });
    };
    // The path after an authority, with its first slash.
    const setPath = (url, text) => {
        url.path = [];
        const starts = text[0] === "/" || isSpecial(url) && text[0] === "\\";
        if (isSpecial(url) || text !== "") appendPath(url, starts ? text.slice(1) : text);
    };
    const setQuery = (url, text) => { url.query = encode(text, isSpecial(url) ? inSpecialQuery : inQuery); };
    const setPort = (url, text) => {
        const number = Number(text);
        if (!/^[0-9]*$/.test(text) || number > 65535) return false;
        url.port = text === "" || number === ports.get(url.scheme) ? null : number;
        return true;
    };
    // The parts before and after a colon outside brackets.
    const splitPort = (text) => {
        const [, host, port] = /^((?:\[[^\]]*\]?|[^:[])*)(?::(.*))?$/s.exec(text) ?? [0, text];
        return [host, port];
    };
    const setAuthority = (url, text) => {
        const at = text.lastIndexOf("@");
        if (at >= 0) {
            const colon = text.slice(0, at).indexOf(":");
            url.username = encode(text.slice(0, colon < 0 ? at : colon), inUserinfo);
            url.password = colon < 0 ? "" : encode(text.slice(colon + 1, at), inUserinfo);
        }
        const [host, port] = splitPort(text.slice(at + 1));
        if (host === "" && (isSpecial(url) || at >= 0 || port !== undefined)) return false;
        url.host = host === "" ? "" : parseHost(host, isSpecial(url));
        return url.host !== undefined && setPort(url, port ?? "");
    };

    // Each takes the text before the query, and returns whether it parsed.
    const afterSlashes = (url, text) => {
        const end = text.search(isSpecial(url) ? /[/\\]/ : /\//);
        if (!setAuthority(url, end < 0 ? text : text.slice(0, end))) return false;
        setPath(url, end < 0 ? "" : text.slice(end));
        return true;
    };
    const fileText = (url, text, base) => {
        url.scheme = "file";
        url.host = "";
        const inherits = base?.scheme === "file";
        if (/^[/\\]{2}/.test(text)) {
            const rest = text.slice(2);
            const host = rest.match(/^[^/\\]*/)[0];
            if (isDrive(host)) return setPath(url, rest), true;
            url.host = host === "" ? "" : parseHost(host, true);
            if (url.host === "localhost") url.host = "";
            return url.host !== undefined && (setPath(url, rest.slice(host.length)), true);
        }
        if (/^[/\\]/.test(text)) {
            if (inherits) {
                url.host = base.host;
                const drive = base.path[0] ?? "";
                if (!startsWithDrive(text.slice(1)) && /^[a-z]:$/i.test(drive)) url.path.push(drive);
            }
            appendPath(url, text.slice(1));
        } else if (inherits) {
            url.host = base.host;
            relativePath(url, text, base, startsWithDrive(text));
        } else {
            appendPath(url, text);
        }
        return true;
    };
    const relativePath = (url, text, base, replacesAll = false) => {
        url.path = [...base.path];
        if (text === "") return;
        if (replacesAll) url.path = [];
        else shorten(url);
        appendPath(url, text);
    };
    const relativeText = (url, text, base) => {
        url.scheme = base.scheme;
        const slash = isSpecial(url) ? /^[/\\]/ : /^\//;
        if ((isSpecial(url) ? /^[/\\]{2}/ : /^\/\//).test(text)) {
            return afterSlashes(url, isSpecial(url) ? text.replace(/^[/\\]+/, "") : text.slice(2));
        }
        for (const part of ["username", "password", "host", "port"]) url[part] = base[part];
        if (slash.test(text)) appendPath(url, text.slice(1));
        else relativePath(url, text, base);
        return true;
    };
    const absoluteText = (url, text, base) => {
        if (url.scheme === "file") return fileText(url, text, base);
        if (isSpecial(url)) {
            if (base?.scheme === url.scheme && !text.startsWith("//")) return relativeText(url, text, base);
            return afterSlashes(url, text.replace(/^[/\\]+/, ""));
        }
        if (text.startsWith("//")) return afterSlashes(url, text.slice(2));
        if (text.startsWith("/")) appendPath(url, text.slice(1));
        else url.path = encode(text, controls);
        return true;
    };

    const parse = (input, base) => {
        const text = clean(input.replace(/^[\0-\x20]+|[\0-\x20]+$/g, ""));
        const [, scheme, before, query, fragment] =
            /^(?:([a-z][a-z0-9+.-]*):)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(text);
        const url = {
            scheme: scheme?.toLowerCase(), username: "", password: "", host: null, port: null, path: [], query: null,
            fragment: null,
        };
        if (scheme === undefined) {
            if (base === undefined) return undefined;
            if (isOpaque(base)) {
                if (before !== "" || query !== undefined || fragment === undefined) return undefined;
                Object.assign(url, base);
            } else if (!(base.scheme === "file" ? fileText : relativeText)(url, before, base)) {
                return undefined;
            }
        } else if (!absoluteText(url, before, base)) {
            return undefined;
        }
        if (isOpaque(url) && before.endsWith(" ")) url.path = `${url.path.slice(0, -1)}%20`;
        const inherits = before === "" && base !== undefined && url.scheme === base.scheme
            && (scheme === undefined || isSpecial(url));
        if (query !== undefined) setQuery(url, query);
        else if (inherits) url.query = base.query;
        if (fragment !== undefined) url.fragment = encode(fragment, inFragment);
        return url;
    };

    const writeHost = (url) => (url.host ?? "") + (url.port === null ? "" : `:${url.port}`);
    const writePath = (url) => isOpaque(url) ? url.path : url.path.map((segment) => `/${segment}`).join("");
    const write = (url) => {
        let text = `${url.scheme}:`;
        if (url.host !== null) {
            const password = url.password === "" ? "" : `:${url.password}`;
            const credentials = url.username === "" && password === "" ? "" : `${url.username}${password}@`;
            text += `//${credentials}${writeHost(url)}`;
        } else if (!isOpaque(url) && url.path.length > 1 && url.path[0] === "") {
            text += "/.";
        }
        text += writePath(url);
        if (url.query !== null) text += `?${url.query}`;
        return url.fragment === null ? text : `${text}#${url.fragment}`;
    };

    """#
