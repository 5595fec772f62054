import AppCore
import CAlcoveCore
import Testing

/// Handles that are no handles.
@Suite struct HandleTests {
    @Test func `NULL is an error everywhere`() throws {
        #expect(try Answer(alcove_core_dispatch(nil, "{}")).code == "null_handle")
        #expect(try Answer(alcove_core_state(nil)).code == "null_handle")
        #expect(try Answer(alcove_core_tree(nil)).code == "null_handle")
        #expect(try Answer(alcove_core_logs(nil, 1)).code == "null_handle")
        #expect(try Answer(alcove_core_platform_event(nil, "{}")).code == "null_handle")
        #expect(try Answer(alcove_core_drain_effects(nil)).code == "null_handle")
        #expect(try Answer(alcove_core_last_error(nil)).result?["code"] == .string("null_handle"))
        alcove_core_free(nil)
        alcove_core_string_free(nil)
    }

    @Test func `a freed core is gone, however often it is freed`() throws {
        let core = try #require(alcove_core_new(nil))
        alcove_core_free(core)
        alcove_core_free(core)
        #expect(try Answer(alcove_core_tree(core)).code == "unknown_handle")
        #expect(try Answer(alcove_core_last_error(core)).code == "unknown_handle")
    }

    @Test(arguments: [1, 2, 8, 4096, UInt.max, 0x7FFF_FFFF_F000])
    func `an invented pointer is not followed`(number: UInt) throws {
        let core = OpaquePointer(bitPattern: number)
        #expect(try Answer(alcove_core_state(core)).code == "unknown_handle")
        alcove_core_free(core)
    }

    @Test func `a handle is not used twice`() throws {
        var seen: Set<OpaquePointer> = []
        for _ in 0..<2000 {
            let core = try #require(alcove_core_new(nil))
            #expect(seen.insert(core).inserted)
            alcove_core_free(core)
        }
    }

    @Test func `a core remembers its newest error, a thread its own`() throws {
        let host = try ForeignHost()
        #expect(try host.lastError().result == .null)
        #expect(try host.dispatch("x").code == "not_json")
        #expect(try host.dispatch(#"{"type":"tick"}"#).isOK)
        #expect(try host.lastError().result?["code"] == .string("not_json"))
        #expect(alcove_core_new("x") == nil)
        #expect(try Answer(alcove_core_last_error(nil)).result?["code"] == .string("not_json"))
        #expect(alcove_core_new("[]") == nil)
        #expect(try Answer(alcove_core_last_error(nil)).result?["code"] == .string("bad_config"))
    }
}
