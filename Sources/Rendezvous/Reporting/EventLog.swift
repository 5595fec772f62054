/// Writes one line of JSON for each event: what happened and when, never who, which code or from where.
struct EventLog: Sendable {
    private let write: (@Sendable (String) -> Void)?
    private let now: @Sendable () -> Timestamp

    init(_ write: (@Sendable (String) -> Void)?, now: @escaping @Sendable () -> Timestamp) {
        self.write = write
        self.now = now
    }

    func log(_ event: StaticString, _ details: @autoclosure () -> JSONObject = [:]) {
        guard let write else { return }
        var line: JSONObject = ["time": .string(now().iso8601), "event": .string("\(event)")]
        for detail in details().members { line.append(detail.name, detail.value) }
        write(JSONValue.object(line).text)
    }
}
