internal import CHiredis

/// An answer of Redis.
package enum RedisValue: Sendable, Equatable {
    case nothing
    case integer(Int64)
    case bytes([UInt8])
    case status(String)
    case array([RedisValue])
    /// One command of several was refused.
    case failure(RedisError)

    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    package var array: [RedisValue]? { if case .array(let values) = self { values } else { nil } }
    package var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Copies an answer of hiredis, which bounds its depth.
    init(_ reply: borrowing redisReply) {
        func bytes() -> [UInt8] { Array(UnsafeRawBufferPointer(start: reply.str, count: reply.len)) }
        switch reply.type {
        case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
        case REDIS_REPLY_STRING: self = .bytes(bytes())
        case REDIS_REPLY_STATUS: self = .status(String(decoding: bytes(), as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .failure(RedisError(reply: String(decoding: bytes(), as: UTF8.self)))
        case REDIS_REPLY_ARRAY:
            let elements = UnsafeBufferPointer(start: reply.element, count: reply.elements)
            self = .array(elements.map { $0.map { RedisValue($0.pointee) } ?? .nothing })
        default: self = .nothing
        }
    }
}

/// One command: its name and arguments. Nothing is ever parsed out of an argument, so it may hold any bytes.
package struct RedisCommand: Sendable {
    package let arguments: [[UInt8]]

    package init(_ arguments: [[UInt8]]) { self.arguments = arguments }

    package init(_ arguments: String...) { self.arguments = arguments.map { Array($0.utf8) } }

    /// Appends it as Redis reads it: each argument with its length in front.
    func write(to wire: inout [UInt8]) {
        func line(_ sign: UInt8, _ number: Int) {
            wire.append(sign)
            wire.append(contentsOf: String(number).utf8)
            wire.append(0x0d)
            wire.append(0x0a)
        }
        line(UInt8(ascii: "*"), arguments.count)
        for argument in arguments {
            line(UInt8(ascii: "$"), argument.count)
            wire.append(contentsOf: argument)
            wire.append(0x0d)
            wire.append(0x0a)
        }
    }
}
