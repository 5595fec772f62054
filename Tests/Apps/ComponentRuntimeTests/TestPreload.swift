import ComponentRuntime
import ComponentSupport
import Components

/// What goes ahead of the components of these tests: functions over ports, in as few lines as that takes.
let testPreload = PreloadScript(
    name: "preload.js",
    source: """
        (() => {
            const ports = _ports_;
            delete globalThis._ports_;
            const listeners = new Map(), waiting = new Map();
            ports.onMessage((port, bytes) => {
                const listener = listeners.get(port);
                if (listener) listener(bytes); else waiting.set(port, [...waiting.get(port) ?? [], bytes]);
            });
            globalThis.send = (port, bytes) => ports.send(port, bytes);
            globalThis.listen = (port, listener) => {
                listeners.set(port, listener);
                for (const bytes of waiting.get(port) ?? []) listener(bytes);
                waiting.delete(port);
            };
            globalThis.capabilities = ports.capabilities;
            const pending = new Map();
            let next = 1;
            const varint = (number) => {
                const bytes = [];
                for (; number > 127; number >>>= 7) bytes.push(number & 127 | 128);
                return [...bytes, number];
            };
            globalThis.call = (name, number) => new Promise((done) => {
                const id = next++;
                const args = [8, ...varint(number)];
                if (!listeners.has(name)) listen(name, (bytes) => {
                    let id = 0, at = 1;
                    for (let shift = 0; ; shift += 7) {
                        const byte = bytes[at++];
                        id |= (byte & 127) << shift;
                        if (byte < 128) break;
                    }
                    pending.get(id)(bytes.subarray(at + 2));
                    pending.delete(id);
                });
                pending.set(id, done);
                send(name, new Uint8Array([8, ...varint(id), 18, args.length, ...args]));
            });
            globalThis._awaitPreloadInit = async () => undefined;
        })();
        """)
