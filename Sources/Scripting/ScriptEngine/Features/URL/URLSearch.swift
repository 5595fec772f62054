/// `URLSearchParams`: sections 5 and 6.2 of the URL Standard.
let urlSearchSource = #"""
    const writeForm = (text) => encode(text, inForm).replaceAll("%20", "+");
    const readForm = (text) => decodePercent(text.replaceAll("+", " "));
    const parseForm = (text) => text.split("&").filter((part) => part !== "").map((part) => {
        const equals = part.indexOf("=");
        return equals < 0 ? [readForm(part), ""] : [readForm(part.slice(0, equals)), readForm(part.slice(equals + 1))];
    });
    const asText = (value) => `${value}`.toWellFormed();
    // How a URL follows changes of its parameters, and changes them itself.
    let follow, replaceAll;

    class URLSearchParams {
        #list = [];
        #changed = () => {};
        static {
            follow = (search, changed) => { search.#changed = changed; };
            replaceAll = (search, query) => { search.#list = parseForm(query ?? ""); };
        }
        constructor(init = "") {
            if (typeof init !== "object" || init === null) {
                this.#list = parseForm(asText(init).replace(/^\?/, ""));
            } else if (init[Symbol.iterator] !== undefined) {
                for (const pair of init) {
                    const [name, value, ...more] = pair;
                    if (value === undefined || more.length > 0) throw new TypeError("Not a pair of name and value");
                    this.#list.push([asText(name), asText(value)]);
                }
            } else {
                for (const name of Reflect.ownKeys(init)) {
                    if (!Object.prototype.propertyIsEnumerable.call(init, name)) continue;
                    this.#list.push([asText(name), asText(init[name])]);
                }
            }
        }
        #matches(name, value) {
            const [key, text] = [asText(name), value === undefined ? undefined : asText(value)];
            return (pair) => pair[0] === key && (text === undefined || pair[1] === text);
        }
        get size() { return this.#list.length; }
        append(name, value) {
            this.#list.push([asText(name), asText(value)]);
            this.#changed();
        }
        delete(name, value) {
            const matches = this.#matches(name, value);
            this.#list = this.#list.filter((pair) => !matches(pair));
            this.#changed();
        }
        get(name) { return this.#list.find(this.#matches(name))?.[1] ?? null; }
        getAll(name) { return this.#list.filter(this.#matches(name)).map((pair) => pair[1]); }
        has(name, value) { return this.#list.some(this.#matches(name, value)); }
        set(name, value) {
            const matches = this.#matches(name);
            const index = this.#list.findIndex(matches);
            if (index < 0) return this.append(name, value);
            this.#list = this.#list.filter((pair, place) => place <= index || !matches(pair));
            this.#list[index][1] = asText(value);
            this.#changed();
        }
        sort() {
            this.#list.sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0);
            this.#changed();
        }
        forEach(body, receiver) {
            for (const [name, value] of this) body.call(receiver, value, name, this);
        }
        *entries() {
            for (let index = 0; index < this.#list.length; index++) yield [...this.#list[index]];
        }
        *keys() { for (const [name] of this) yield name; }
        *values() { for (const [, value] of this) yield value; }
        [Symbol.iterator]() { return this.entries(); }
        toString() { return this.#list.map((pair) => pair.map(writeForm).join("=")).join("&"); }
    }

    """#
