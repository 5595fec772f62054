/// Code of hostile components, for both sandboxes.
public enum Attacks {
    /// Each is stopped by the limit on a turn, or uses up its stack, and the component goes on.
    public static let survived = [
        "endless loop": "setTimeout(() => { for (;;); })",
        "endless recursion": "const f = () => f(); setTimeout(f)",
        "endless regular expression": "setTimeout(() => /(a*)*b/.test('a'.repeat(40)) || (() => { for (;;); })())",
        "too large an array": "setTimeout(() => { throw new RangeError(new Uint8Array(2 ** 40)) })",
        "10 million timers": "setTimeout(() => { for (let i = 0; i < 1e7; i++) setTimeout(() => {}, 1e6) })",
        "a promise in itself": "const p = new Promise((f) => setTimeout(() => f(p)))",
        "a message that is too long": "setTimeout(() => { w3n.log('info', 'x'.repeat(2 ** 21)); for (;;); })",
    ]

    /// Each takes more memory than there is for it.
    public static let bombs = [
        "objects": "const all = []; setInterval(() => { for (let i = 0; i < 2e5; i++) all.push({ i, text: `${i}` }) })",
        "bytes": "const all = []; setInterval(() => all.push(new Uint8Array(2 ** 23).fill(1)))",
        "text":
            "let text = 'ab'; const all = []; setInterval(() => { all.push(JSON.stringify('é'.repeat(2 ** 21) + all.length)) })",
        "one turn": "const all = []; setTimeout(() => { for (;;) all.push(new Array(1000).fill(all.length)) })",
    ]

    /// What apps might reach for, and `undefined` at each.
    public static let reaching = """
        const names = ['_ports_', 'process', 'require', 'Deno.core', 'ipc', '__dirname', 'load', 'read', 'run', 'print',
            'quit', 'gc', 'debug', 'XMLHttpRequest', 'WebSocket', 'Worker', 'SharedArrayBuffer', 'importScripts',
            'readFile', 'window', 'document', 'navigator', '$vm', 'alcove'];
        const found = names.filter((name) => {
            try { return eval(name) !== undefined } catch { return false }
        });
        console.log(JSON.stringify(found));
        """

    /// Changes what all scripts of the context build on, and then uses its capabilities.
    public static let pollution = """
        for (const type of [Object, Array, Promise, Map, Uint8Array, String, Function]) {
            for (const name of Object.getOwnPropertyNames(type.prototype)) {
                if (name === 'constructor' || name === 'then') continue;
                try { type.prototype[name] = () => { throw new Error('polluted') } } catch {}
            }
        }
        Object.prototype.port = 'core-ipc';
        try { w3n.log('info', 'still') } catch {}
        """
}
