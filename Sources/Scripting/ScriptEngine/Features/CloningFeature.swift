extension Feature {
    /// `structuredClone` of the HTML Standard. Buffers that are transferred are copied, and then detached.
    static let cloning = Feature(names: ["structuredClone"], source: cloningSource)
}

private let cloningSource = """
    (function () {
        const refuse = (what) => { throw new DOMException(`${what} cannot be cloned`, "DataCloneError"); };
        const slot = (type, property) => Object.getOwnPropertyDescriptor(type.prototype, property).get;
        // The type of an object is checked by its internal slots, which a prototype cannot fake.
        const has = (check) => (value) => {
            try {
                check.call(value);
                return true;
            } catch {
                return false;
            }
        };
        const bufferLength = slot(ArrayBuffer, "byteLength");
        const isBuffer = has(bufferLength);
        const primitives = [Boolean, Number, String, BigInt].map((type) => [has(type.prototype.valueOf), type]);
        const isDate = has(Date.prototype.getTime);
        const isMap = has(slot(Map, "size"));
        const isSet = has(slot(Set, "size"));
        const isRegExp = has(slot(RegExp, "global"));
        const errors = new Map(
            [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]
                .map((type) => [type.name, type]));
        const others = [Promise, WeakMap, WeakSet, WeakRef, DOMException];

        const cloneError = (value, clone) => {
            const type = errors.get(String(value.name)) ?? Error;
            const error = Object.hasOwn(value, "message") ? new type(String(value.message)) : new type();
            if (typeof value.stack === "string") {
                Object.defineProperty(error, "stack", { value: value.stack, writable: true, configurable: true });
            }
            if (Object.hasOwn(value, "cause")) {
                Object.defineProperty(
                    error, "cause", { value: clone(value.cause), writable: true, configurable: true });
            }
            return error;
        };
        const cloneView = (value, clone) => {
            const buffer = clone(value.buffer);
            const type = value instanceof DataView ? DataView : globalThis[value[Symbol.toStringTag]];
            return new type(buffer, value.byteOffset, value instanceof DataView ? value.byteLength : value.length);
        };
        // The copy without its content. The content is copied after the copy is registered, because there may be
        // cycles.
        const empty = (value, clone) => {
            if (Array.isArray(value)) return new Array(value.length);
            const prototype = Object.getPrototypeOf(value);
            if (prototype === Object.prototype || prototype === null) return {};
            if (typeof value === "function") refuse("A function");
            if (isBuffer(value)) {
                if (value.detached) refuse("A detached buffer");
                return value.slice(0);
            }
            if (ArrayBuffer.isView(value)) return cloneView(value, clone);
            if (isDate(value)) return new Date(Date.prototype.getTime.call(value));
            if (isMap(value)) return new Map();
            if (isSet(value)) return new Set();
            if (value instanceof DOMException) return new DOMException(value.message, value.name);
            if (value instanceof Error) return cloneError(value, clone);
            if (isRegExp(value) && value !== RegExp.prototype) return new RegExp(value.source, value.flags);
            const primitive = primitives.find(([check]) => check(value));
            if (primitive !== undefined) return Object(primitive[1].prototype.valueOf.call(value));
            if (others.some((type) => value instanceof type)) refuse(`A ${value.constructor.name}`);
            return {};
        };
        const fill = (copy, value, clone) => {
            if (isMap(copy)) {
                for (const [key, item] of [...Map.prototype.entries.call(value)]) copy.set(clone(key), clone(item));
            } else if (isSet(copy)) {
                for (const item of [...Set.prototype.values.call(value)]) copy.add(clone(item));
            } else if (Array.isArray(copy) || Object.getPrototypeOf(copy) === Object.prototype) {
                for (const key of Object.keys(value)) {
                    if (!Object.hasOwn(value, key)) continue;
                    const item = clone(value[key]);
                    Object.defineProperty(
                        copy, key, { value: item, writable: true, enumerable: true, configurable: true });
                }
            }
        };
        const structuredClone = function (value, { transfer = [] } = {}) {
            if (arguments.length === 0) throw new TypeError("structuredClone needs a value");
            const buffers = [...transfer];
            if (new Set(buffers).size < buffers.length) refuse("A buffer that is transferred twice");
            for (const buffer of buffers) {
                if (!isBuffer(buffer)) refuse("What is transferred but is not a buffer");
                if (buffer.detached) refuse("A detached buffer");
            }
            const copies = new Map();
            const clone = (value) => {
                if (typeof value === "symbol") refuse("A symbol");
                if (typeof value === "function") refuse("A function");
                if (typeof value !== "object" || value === null) return value;
                if (copies.has(value)) return copies.get(value);
                const copy = empty(value, clone);
                copies.set(value, copy);
                fill(copy, value, clone);
                return copy;
            };
            const copy = clone(value);
            for (const buffer of buffers) buffer.transfer();
            return copy;
        };
        return { structuredClone };
    })
    """
