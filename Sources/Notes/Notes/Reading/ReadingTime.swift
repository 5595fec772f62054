/// How long reading updates takes: the processor time of this thread, or what counts for each byte.
struct ReadingTime {
    private let time = ProcessorTime()
    private let perByte: Duration?

    init(perByte: Duration?) { self.perByte = perByte }

    /// - Parameter updates: what was read since this was made.
    func elapsed(_ updates: [[UInt8]]) -> Duration {
        perByte.map { $0 * updates.reduce(0) { $0 + $1.count } } ?? time.elapsed
    }
}
