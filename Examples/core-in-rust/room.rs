//! A host in Rust: it makes a room, plays the server that answers, and reads the room's code in the tree.
//!
//!     rustc room.rs -L path/to/the/library && ./room
//!
//! A real host takes a crate for the JSON; this one has none, so that `rustc` is all it needs.

use std::ffi::{c_char, c_void, CStr, CString};
use std::ptr;

#[link(name = "alcove_core")]
extern "C" {
    fn alcove_core_new(config_json: *const c_char) -> *mut c_void;
    fn alcove_core_free(core: *mut c_void);
    fn alcove_core_dispatch(core: *mut c_void, json: *const c_char) -> *mut c_char;
    fn alcove_core_changes(core: *mut c_void, view: *const c_char, since: u64) -> *mut c_char;
    fn alcove_core_drain_effects(core: *mut c_void) -> *mut c_char;
    fn alcove_core_string_free(string: *mut c_char);
}

/// A core; any thread may use it.
struct Core(*mut c_void);

// The library checks every handle and lets the calls on one core happen one after the other.
unsafe impl Send for Core {}
unsafe impl Sync for Core {}

impl Core {
    fn new() -> Option<Core> {
        let core = unsafe { alcove_core_new(ptr::null()) };
        (!core.is_null()).then_some(Core(core))
    }

    fn dispatch(&self, json: &str) -> Result<String, String> {
        let json = CString::new(json).map_err(|error| error.to_string())?;
        answer(unsafe { alcove_core_dispatch(self.0, json.as_ptr()) })
    }

    fn drain_effects(&self) -> Result<String, String> {
        answer(unsafe { alcove_core_drain_effects(self.0) })
    }

    /// What is different in a view since a revision; 0 for the whole tree.
    fn changes(&self, view: &str, since: u64) -> Result<String, String> {
        let view = CString::new(view).map_err(|error| error.to_string())?;
        answer(unsafe { alcove_core_changes(self.0, view.as_ptr(), since) })
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        unsafe { alcove_core_free(self.0) }
    }
}

/// Takes the text over, gives the string back, and opens the envelope.
fn answer(string: *mut c_char) -> Result<String, String> {
    if string.is_null() {
        return Err("out of memory".into());
    }
    let text = unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned();
    unsafe { alcove_core_string_free(string) };
    match text.strip_prefix(r#"{"ok":true,"result":"#).and_then(|rest| rest.strip_suffix('}')) {
        Some(result) => Ok(result.to_owned()),
        None => Err(text),
    }
}

/// What stands in `text` between two marks.
fn between<'a>(text: &'a str, start: &str, end: char) -> Option<&'a str> {
    let rest = &text[text.find(start)? + start.len()..];
    rest.split(end).next()
}

fn main() -> Result<(), String> {
    let core = Core::new().ok_or("no core")?;
    // Bare actions happen in logical time with ids from a seed: good for an example, never for real people.
    core.dispatch(r#"{"type":"started","locked":false,"records":[]}"#)?;
    core.dispatch(r#"{"type":"became_active"}"#)?;
    core.dispatch(r#"{"type":"create_room","name":"Ann","expires_in":300}"#)?;

    let effects = core.drain_effects()?;
    let id = between(&effects, r#""id":"#, ',').ok_or("no effect")?;
    println!("the core asks for a room; the effect is number {id}");
    core.dispatch(&format!(
        r#"{{"type":"room_created","effect":{id},"code":"482913","expires_at":1700000300000}}"#
    ))?;

    let tree = core.changes("main", 0)?;
    let shown = tree.split('"').find(|text| text.contains("482913")).ok_or("the code is not on the screen")?;
    println!("the screen says: {shown}");

    // From then on a host asks for what is different, and changes those nodes of its own tree.
    let revision = between(&tree, r#""rev":"#, ',').and_then(|number| number.parse().ok()).ok_or("no revision")?;
    core.dispatch(r#"{"type":"reachability_changed","online":false}"#)?;
    let changes = core.changes("main", revision)?;
    if !changes.contains(r#""from":"#) {
        return Err(format!("the whole tree again: {changes}"));
    }
    println!("without a network, {} bytes are different of {}", changes.len(), tree.len());

    let refused = core.dispatch(r#"{"type":"fly"}"#).err().ok_or("the core accepted nonsense")?;
    println!("refused: {refused}");
    Ok(())
}
