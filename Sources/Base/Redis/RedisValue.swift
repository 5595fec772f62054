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

    /// As Redis reads it: each argument with its length in front.
    var wire: [UInt8] {
        arguments.reduce(into: Array("*\(arguments.count)\r\n".utf8)) { wire, argument in
            wire += Array("$\(argument.count)\r\n".utf8) + argument + [0x0d, 0x0a]
        }
    }
}
