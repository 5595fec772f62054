/// `URL`: section 6.1 of the URL Standard.
let urlClassSource = #"""
    class URL {
        #url;
        #search;
        constructor(text, base) {
            const parsedBase = base === undefined ? undefined : parse(`${base}`);
            this.#url = base !== undefined && parsedBase === undefined ? undefined : parse(`${text}`, parsedBase);
            if (this.#url === undefined) throw new TypeError(`${text} cannot be parsed as a URL`);
        }
        static parse(text, base) {
            try {
                return new URL(text, base);
            } catch {
                return null;
            }
        }
        static canParse(text, base) { return URL.parse(text, base) !== null; }

        get href() { return write(this.#url); }
        set href(text) {
            const url = parse(`${text}`);
            if (url === undefined) throw new TypeError(`${text} cannot be parsed as a URL`);
            this.#url = url;
            this.#tellSearch();
        }
        toString() { return this.href; }
        toJSON() { return this.href; }
        get origin() {
            const url = this.#url;
            if (url.scheme === "blob") {
                const inner = isOpaque(url) ? parse(url.path) : undefined;
                return inner !== undefined && /^https?$/.test(inner.scheme) ? new URL(url.path).origin : "null";
            }
            return isSpecial(url) && url.scheme !== "file" ? `${url.scheme}://${writeHost(url)}` : "null";
        }

        get protocol() { return `${this.#url.scheme}:`; }
        set protocol(value) {
            const url = this.#url;
            const scheme = /^([a-z][a-z0-9+.-]*)(:|$)/i.exec(clean(`${value}`))?.[1].toLowerCase();
            if (scheme === undefined || ports.has(scheme) !== isSpecial(url)) return;
            if (scheme === "file" && (url.username !== "" || url.password !== "" || url.port !== null)) return;
            if (url.scheme === "file" && url.host === "") return;
            url.scheme = scheme;
            if (url.port === ports.get(scheme)) url.port = null;
        }

        #hasNoAuthority() { return !this.#url.host || this.#url.scheme === "file"; }
        get username() { return this.#url.username; }
        set username(value) {
            if (!this.#hasNoAuthority()) this.#url.username = encode(`${value}`, inUserinfo);
        }
        get password() { return this.#url.password; }
        set password(value) {
            if (!this.#hasNoAuthority()) this.#url.password = encode(`${value}`, inUserinfo);
        }

        #setHost(value, takesPort) {
            const url = this.#url;
            if (isOpaque(url)) return;
            const text = clean(`${value}`).match(isSpecial(url) ? /^[^/\\?#]*/ : /^[^/?#]*/)[0];
            const [name, port] = url.scheme === "file" ? [text] : splitPort(text);
            if (port !== undefined && (name === "" || !takesPort)) return;
            if (name === "") {
                const isNeeded = url.username !== "" || url.password !== "" || url.port !== null;
                if (isSpecial(url) && url.scheme !== "file" || isNeeded) return;
                url.host = "";
                return;
            }
            const host = parseHost(name, isSpecial(url));
            if (host === undefined) return;
            url.host = url.scheme === "file" && host === "localhost" ? "" : host;
            const digits = /^[0-9]+/.exec(port ?? "")?.[0];
            if (digits !== undefined) setPort(url, digits);
        }
        get host() { return writeHost(this.#url); }
        set host(value) { this.#setHost(value, true); }
        get hostname() { return this.#url.host ?? ""; }
        set hostname(value) { this.#setHost(value, false); }
        get port() { return this.#url.port === null ? "" : String(this.#url.port); }
        set port(value) {
            if (this.#hasNoAuthority()) return;
            const text = clean(`${value}`);
            const digits = /^[0-9]+/.exec(text)?.[0];
            if (text === "") this.#url.port = null;
            else if (digits !== undefined) setPort(this.#url, digits);
        }

        get pathname() { return writePath(this.#url); }
        set pathname(value) {
            if (!isOpaque(this.#url)) setPath(this.#url, clean(`${value}`));
        }
        get search() { return this.#url.query ? `?${this.#url.query}` : ""; }
        set search(value) {
            const text = clean(`${value}`);
            if (text === "") this.#url.query = null;
            else setQuery(this.#url, text.replace(/^\?/, ""));
            this.#tellSearch();
        }
        get hash() { return this.#url.fragment ? `#${this.#url.fragment}` : ""; }
        set hash(value) {
            const text = clean(`${value}`);
            this.#url.fragment = text === "" ? null : encode(text.replace(/^#/, ""), inFragment);
        }

        get searchParams() {
            if (this.#search === undefined) {
                this.#search = new URLSearchParams();
                this.#tellSearch();
                follow(this.#search, () => {
                    const text = this.#search.toString();
                    this.#url.query = text === "" ? null : text;
                });
            }
            return this.#search;
        }
        #tellSearch() {
            if (this.#search !== undefined) replaceAll(this.#search, this.#url.query);
        }
    }

    """#
