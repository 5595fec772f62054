internal import Redis

/// A decision that Redis makes: a script, its arguments, and how its answer is read. As a value, so that several can be
/// sent together.
struct RedisQuestion<Answer> {
    let script: RedisScript
    /// After the time and the lifetime of rooms, which all scripts get.
    let arguments: [[UInt8]]
    let read: (RedisAnswer) throws -> Answer

    func map<Other>(_ change: @escaping (Answer) throws -> Other) -> RedisQuestion<Other> {
        RedisQuestion<Other>(script: script, arguments: arguments) { try change(try read($0)) }
    }
}

extension [UInt8] {
    init(_ text: String) { self = Array(text.utf8) }
    init(decimal number: some FixedWidthInteger) { self = Array(String(number).utf8) }
}

/// What a script returned, after the counts.
struct RedisAnswer {
    let values: [RedisValue]

    var word: String? { values.first?.text }
    var unexpected: RedisError { RedisError(.refused, "Redis gave an answer of another form") }

    func bytes(_ index: Int) throws -> [UInt8] {
        guard values.indices.contains(index), let bytes = values[index].bytes else { throw unexpected }
        return bytes
    }

    func text(_ index: Int) throws -> String { String(decoding: try bytes(index), as: UTF8.self) }

    func number(_ index: Int) throws -> Timestamp {
        guard let number = Timestamp(try text(index)) else { throw unexpected }
        return number
    }

    /// A device, and the ticket that follows it.
    func party(_ index: Int) throws -> Party {
        let ticket = try bytes(index + 1)
        return Party(device: try text(index), ticket: ticket.isEmpty ? nil : ticket)
    }

    func names(_ index: Int) throws -> [String] {
        guard values.indices.contains(index), let names = values[index].array else { throw unexpected }
        return names.compactMap(\.text)
    }

    func removed() throws -> Removed { Removed(rooms: try names(0), codes: try names(1)) }

    /// What stands there in place of a decision: `refused`, for how many seconds, and by which part of the charge.
    func refusal() throws -> any Error {
        guard word == "refused", let code = try text(2).split(separator: " ").last else { return unexpected }
        return SharedRefusal(code: String(code), seconds: Int(clamping: try number(1)))
    }
}
