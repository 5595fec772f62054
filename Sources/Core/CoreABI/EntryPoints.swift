// The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AppCore
import CAlcoveCore
import Catalogues
import Platform
import Synchronization

// The functions of `include/alcove_core.h`, where each is described. The compiler checks them against it.

@c @implementation
public func alcove_core_new(_ config: UnsafePointer<CChar>?) -> OpaquePointer? {
    do throws(CallError) {
        return try Registry.add(Handle(Session(Configuration(config))))
    } catch {
        ThreadError.current = error
        return nil
    }
}

@c @implementation
public func alcove_core_free(_ core: OpaquePointer?) { Registry.remove(core) }

@c @implementation
public func alcove_core_dispatch(
    _ core: OpaquePointer?, _ json: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    answer(core) { session throws(CallError) in try session.dispatch(IncomingText(json)) }
}

@c @implementation
public func alcove_core_state(_ core: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    answer(core) { session throws(CallError) in try session.state() }
}

@c @implementation
public func alcove_core_tree(_ core: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    answer(core) { session throws(CallError) in try session.tree() }
}

@c @implementation
public func alcove_core_changes(
    _ core: OpaquePointer?, _ view: UnsafePointer<CChar>?, _ since: UInt64
) -> UnsafeMutablePointer<CChar>? {
    answer(core) { session throws(CallError) in try session.changes(IncomingText(view), since: since) }
}

@c @implementation
public func alcove_core_catalogue(_ language: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? {
    do throws(CallError) {
        let name = String(decoding: try IncomingText(language).bytes, as: UTF8.self)
        guard let json = Catalogue.files[name] ?? Catalogue.files[name.lowercased()] else {
            throw CallError(.unknownLanguage, "there is no catalogue in this language; \"en\" is there")
        }
        return Envelope.success(json)
    } catch {
        ThreadError.current = error
        return Envelope.failure(error)
    }
}

@c @implementation
public func alcove_core_logs(_ core: OpaquePointer?, _ limit: UInt32) -> UnsafeMutablePointer<CChar>? {
    answer(core) { session throws(CallError) in try session.logs(limit) }
}

@c @implementation
public func alcove_core_platform_event(
    _ core: OpaquePointer?, _ json: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    answer(core) { session throws(CallError) in try session.platformEvent(IncomingText(json)) }
}

@c @implementation
public func alcove_core_drain_effects(_ core: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    answer(core) { session throws(CallError) in session.drainEffects() }
}

@c @implementation
public func alcove_core_version() -> UnsafePointer<CChar>? {
    let text: StaticString = #"{"abi":2,"alcove":"0.2.0"}"#
    return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func alcove_core_last_error(_ core: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    do throws(CallError) {
        let error = core == nil ? ThreadError.current : try Registry.find(core).session.withLock { $0.lastError }
        return Envelope.success((try? JSON.encode(error)) ?? Array("null".utf8))
    } catch {
        return Envelope.failure(error)
    }
}

@c @implementation
public func alcove_core_string_free(_ string: UnsafeMutablePointer<CChar>?) { free(string) }

/// Makes one call on a core: what `work` returns is JSON.
private func answer(
    _ core: OpaquePointer?, _ work: (inout Session) throws(CallError) -> [UInt8]
) -> UnsafeMutablePointer<CChar>? {
    do throws(CallError) {
        let handle = try Registry.find(core)
        return handle.session.withLock { session in
            do throws(CallError) { return Envelope.success(try work(&session)) } catch {
                session.lastError = error
                return Envelope.failure(error)
            }
        }
    } catch {
        ThreadError.current = error
        return Envelope.failure(error)
    }
}
