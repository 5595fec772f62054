extension Feature {
    /// `console`, as lines for ``ScriptConfiguration/console``.
    static let console = Feature(
        names: ["console"],
        functions: [
            "write": { arguments in
                let context = arguments.context
                let level = ConsoleLine.Level(rawValue: try arguments.string(0)) ?? .log
                let text = shortened(try arguments.string(1), to: context.limits.consoleLine)
                context.configuration.console(ConsoleLine(level: level, text: text))
                return ScriptData.undefined
            }
        ],
        source: #"""
            (function ({ write }) {
                const inspect = (value, depth, seen) => {
                    if (typeof value === "string") return depth === 0 ? value : JSON.stringify(value);
                    if (typeof value === "bigint") return `${value}n`;
                    if (typeof value === "function") return `[Function ${value.name || "(anonymous)"}]`;
                    if (typeof value !== "object" || value === null) return String(value);
                    if (value instanceof Error) return `${value.name}: ${value.message}\n${value.stack ?? ""}`.trim();
                    if (seen.includes(value)) return "[Circular]";
                    if (value instanceof Date) return Number.isNaN(+value) ? "Invalid Date" : value.toISOString();
                    if (value instanceof RegExp) return String(value);
                    if (depth > 3) return Array.isArray(value) ? "[Array]" : "[Object]";
                    return collection(value, (inner) => inspect(inner, depth + 1, [...seen, value]));
                };
                const list = (items) => items.slice(0, 100).join(", ") + (items.length > 100 ? ", …" : "");
                const some = (items) => Array.from({ length: Math.min(items.length, 101) }, (_, index) => items[index]);
                const collection = (value, show) => {
                    if (Array.isArray(value)) return `[${list(some(value).map(show))}]`;
                    const type = value.constructor?.name;
                    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
                        return `${type}(${value.length}) [${list(some(value).map(show))}]`;
                    }
                    if (value instanceof Map) {
                        const entries = [...value].slice(0, 101).map(([key, item]) => `${show(key)} => ${show(item)}`);
                        return `Map(${value.size}) {${list(entries)}}`;
                    }
                    if (value instanceof Set) return `Set(${value.size}) {${list([...value].slice(0, 101).map(show))}}`;
                    const entries = Object.keys(value).slice(0, 101).map((key) => `${key}: ${show(value[key])}`);
                    return `${type === undefined || type === "Object" ? "" : `${type} `}{${list(entries)}}`;
                };
                const replace = (directive, value) => {
                    if (directive === "%s") return String(value);
                    if (directive === "%d" || directive === "%i") return String(Math.trunc(Number(value)));
                    if (directive === "%f") return String(Number(value));
                    return directive === "%c" ? "" : inspect(value, 1, []);
                };
                const format = (values) => {
                    const rest = [...values];
                    const parts = [];
                    if (typeof rest[0] === "string") {
                        parts.push(rest.shift().replace(/%[sdifoOjc%]/g, (directive) => {
                            if (directive === "%%") return "%";
                            return rest.length > 0 ? replace(directive, rest.shift()) : directive;
                        }));
                    }
                    return [...parts, ...rest.map((value) => inspect(value, 0, []))].join(" ");
                };
                let indentation = "";
                const counts = new Map(), starts = new Map();
                const line = (level, text) => write(level, text.replace(/^/gm, indentation));
                const console = {};
                for (const level of ["debug", "log", "info", "warn", "error"]) {
                    console[level] = (...values) => line(level, format(values));
                }
                return { console: Object.assign(console, {
                    dir: (value) => line("log", inspect(value, 1, [])),
                    trace: (...values) => line("debug", `${format(values)}\n${new Error().stack}`),
                    assert(condition, ...values) {
                        if (!condition) line("error", `Assertion failed: ${format(values)}`);
                    },
                    group(...values) {
                        if (values.length > 0) console.log(...values);
                        if (indentation.length < 64) indentation += "  ";
                    },
                    groupEnd() { indentation = indentation.slice(2); },
                    count(label = "default") {
                        counts.set(label, (counts.get(label) ?? 0) + 1);
                        line("info", `${label}: ${counts.get(label)}`);
                    },
                    time(label = "default") { starts.set(label, Date.now()); },
                    timeEnd(label = "default") {
                        if (starts.has(label)) line("info", `${label}: ${Date.now() - starts.get(label)} ms`);
                        starts.delete(label);
                    },
                }) };
            })
            """#)

    /// The longest prefix of at most `size` bytes, with a mark that it was cut.
    private static func shortened(_ text: String, to size: Int) -> String {
        guard text.utf8.count > size else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: max(0, size))
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return text[..<end] + "…"
    }
}
