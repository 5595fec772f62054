extension Feature {
    /// `performance.now()`: milliseconds since the script first asked.
    static let performance = Feature(
        names: ["performance"],
        functions: ["now": { _ in (ContinuousClock.now - origin) / .milliseconds(1) }],
        source: """
            (function ({ now }) {
                const start = now();
                const timeOrigin = Date.now();
                return { performance: { timeOrigin, now: () => now() - start, toJSON: () => ({ timeOrigin }) } };
            })
            """)

    /// Any moment will do.
    private static let origin = ContinuousClock.now
}
