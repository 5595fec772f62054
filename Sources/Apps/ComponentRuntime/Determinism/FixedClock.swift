internal import Components
internal import ScriptEngine
internal import Synchronization
internal import Wire

/// The clock and the chance of a run that is recorded: the clock stands still between messages, and chance is a row of
/// numbers that a seed fixes. Not for secrets.
final class FixedClock: Sendable {
    private let start: Int64
    private let milliseconds: Atomic<Int64>
    private let generator: Mutex<SplitMix>

    init(_ determinism: ComponentDeterminism) {
        start = determinism.start
        milliseconds = Atomic(determinism.start)
        generator = Mutex(SplitMix(state: determinism.seed))
    }

    /// Moves the clock to what a message of ``ComponentDeterminism/clockPort`` says; never back.
    func set(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let time = try? reader.readInteger(UInt64.self), let time = Int64(exactly: time) else { return }
        milliseconds.max(time, ordering: .relaxed)
    }

    func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in
            (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 56) }
        }
    }

    /// Replaces what tells the time and throws dice in a context.
    func install(in context: ScriptContext) throws(ScriptError) {
        let now = try context.function("now") { [self] _ in Double(milliseconds.load(ordering: .relaxed)) }
        let random = try context.function("random") { [self] _ in
            generator.withLock { Double($0.next() >> 11) / 0x1p53 }
        }
        try context.evaluate(Self.source, name: "alcove:clock").call(now, random, Double(start))
    }

    private static let source = """
        (function (now, random, start) {
            const Native = Date;
            function Fixed(...args) {
                if (new.target === undefined) return new Native(now()).toString();
                return Reflect.construct(Native, args.length === 0 ? [now()] : args, new.target);
            }
            Object.defineProperties(Fixed, {
                name: { value: "Date" }, length: { value: 7 },
                prototype: { value: Native.prototype, writable: false },
            });
            const hidden = (object, name, value) =>
                Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });
            for (const name of ["parse", "UTC"]) hidden(Fixed, name, Native[name]);
            hidden(Fixed, "now", () => now());
            hidden(Native.prototype, "constructor", Fixed);
            hidden(globalThis, "Date", Fixed);
            hidden(Math, "random", () => random());
            hidden(globalThis, "performance", {
                timeOrigin: start, now: () => now() - start, toJSON: () => ({ timeOrigin: start }),
            });
            // A format without a date takes the present one.
            const { prototype } = Intl.DateTimeFormat;
            const { formatToParts } = prototype;
            const { get } = Object.getOwnPropertyDescriptor(prototype, "format");
            hidden(prototype, "formatToParts", function (date = now()) { return formatToParts.call(this, date); });
            Object.defineProperty(prototype, "format", {
                get() {
                    const format = get.call(this);
                    return (date = now()) => format(date);
                },
                configurable: true, enumerable: false,
            });
        })
        """
}

/// Sebastiano Vigna's SplitMix64.
struct SplitMix: Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }
}
