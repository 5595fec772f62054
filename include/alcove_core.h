/*
 * alcove_core.h: Alcove's core behind a C interface.
 *
 * The core decides everything a person can notice, and does nothing itself: it has no clock, no randomness, no files and
 * no sockets. A host feeds it JSON (what a person does, what the world answers), saves the records it names, carries out
 * the effects it asks for, and draws its tree. What goes in and out is described in docs/core.md; this interface, with
 * examples and the rules for building and linking, in docs/c-abi.md.
 *
 * A host's loop, without error handling:
 *
 *     alcove_core *core = alcove_core_new(NULL);
 *     char *report = alcove_core_dispatch(core, "{\"at\":…,\"fresh\":\"…\",\"action\":{\"type\":\"started\",…}}");
 *     // 1. save every entry of the report's "records"
 *     alcove_core_string_free(report);
 *     char *effects = alcove_core_drain_effects(core);
 *     // 2. carry them out, and answer each by dispatching an event with its id
 *     alcove_core_string_free(effects);
 *     char *tree = alcove_core_tree(core);
 *     // 3. draw
 *     alcove_core_string_free(tree);
 *     alcove_core_free(core);
 *
 * STRINGS. All text is UTF-8 and ends with a NUL byte. Text that the host passes in is read during the call and stays the
 * host's; at most ALCOVE_CORE_TEXT_LIMIT bytes, nested at most ALCOVE_CORE_DEPTH_LIMIT deep. Every `char *` that comes
 * back belongs to the host, which gives it back with alcove_core_string_free, once. NULL comes back only if there is no
 * memory for the answer.
 *
 * ENVELOPE. Every `char *` that comes back is one JSON object, either of
 *
 *     {"ok":true,"result":…}
 *     {"ok":false,"error":{"code":"not_json","message":"the text is not JSON"}}
 *
 * The code is for programs, and is one of those below; the message is for developers and may change. A later version may
 * add codes, keys and results; ignore the ones you do not know. After an error nothing has happened: the core is as
 * it was before the call (only after "internal" nobody knows; free that core).
 *
 *     null_handle          the core is NULL
 *     unknown_handle       the core was freed, or never came from alcove_core_new
 *     null_argument        the text is NULL
 *     not_utf8             the text is not UTF-8
 *     not_json             the text is not JSON
 *     too_large            the text is longer than ALCOVE_CORE_TEXT_LIMIT
 *     too_deep             arrays and objects are nested deeper than ALCOVE_CORE_DEPTH_LIMIT
 *     bad_config           alcove_core_new was given something else than a configuration
 *     unknown_scenario     there is no scenario of this name
 *     bad_scenario         the scenario cannot be read or played; the message says where
 *     bad_view             the view is not written as it should be
 *     unknown_view         the view is not open; let it dispatch {"type":"open_view"} first
 *     unknown_language     there is no catalogue in this language
 *     too_many_cores       ALCOVE_CORE_HANDLE_LIMIT cores exist already
 *     not_an_action        the JSON is neither an action nor an input, or something in it is missing or wrong
 *     not_an_event         alcove_core_platform_event was given what a person does; that goes to alcove_core_dispatch
 *     effects_not_drained  too many effects wait; call alcove_core_drain_effects, then try again
 *     internal             a fault of this library; please report it
 *
 * HANDLES. An `alcove_core *` is a number that the library looks up, never an address it follows, and is not used twice.
 * So NULL, freed and invented handles are errors, not crashes.
 *
 * THREADS. Any thread may call any function. Calls on one core happen one after the other, in some order; calls on
 * different cores run side by side. A core may be freed while other threads are in calls on it: they finish, and later
 * calls fail with unknown_handle. The library starts no threads, calls nothing back and installs no signal handlers.
 * A child of fork has copies of all cores, and may call if no other thread was in a call when the process forked;
 * otherwise it may only exec.
 *
 * VERSIONS. ALCOVE_CORE_ABI changes when something is taken away or means something else. Compare it with the "abi" of
 * alcove_core_version(). New functions, codes, keys, actions, events and effects do not change it.
 */
#ifndef ALCOVE_CORE_H
#define ALCOVE_CORE_H

#include <stdint.h>

/* The version of this interface. */
#define ALCOVE_CORE_ABI 2
/* Bytes of one text that is passed in, without its NUL: 64 MiB. */
#define ALCOVE_CORE_TEXT_LIMIT 67108864
/* Arrays and objects within each other in one text that is passed in. */
#define ALCOVE_CORE_DEPTH_LIMIT 128
/* Effects that may wait to be drained when something is dispatched; one dispatch may go beyond. */
#define ALCOVE_CORE_EFFECT_LIMIT 4096
/* Transitions that alcove_core_logs remembers. */
#define ALCOVE_CORE_LOG_LIMIT 1024
/* Cores that may exist at a time. */
#define ALCOVE_CORE_HANDLE_LIMIT 65536

#ifdef __cplusplus
extern "C" {
#endif

/* One core. */
typedef struct alcove_core alcove_core;

/*
 * Makes a core. The configuration is one of
 *
 *     NULL, "" or {}                    a core to which nothing has happened yet
 *     {"seed":7}                        the same; the ids that bare actions get are drawn from this seed (0 by default)
 *     {"scenario":"verified_chat"}      a core in a situation that came with the product, for tests and demonstrations
 *     "verified_chat"                   the same
 *     {"scenario":{"about":…,…}}        a core in the situation that the text of a scenario file describes
 *     {"state":{…}}                     a core that goes on from what alcove_core_state gave, of this or another core of this
 *                                       release; time goes on with the first input that brings its own
 *
 * A core made from a scenario has the scenario's steps in its log. One made from a scenario or a state has the effects that
 * are still unanswered in its queue.
 *
 * Returns NULL if that failed; alcove_core_last_error(NULL) says why. Free the core with alcove_core_free.
 */
alcove_core *alcove_core_new(const char *config_json);

/* Frees a core. NULL, and a core that was freed before, are ignored. */
void alcove_core_free(alcove_core *core);

/*
 * Lets something happen: what a person does, or an event of the world.
 *
 * `json` is an input, {"at":1700000000000,"fresh":"<64 hexadecimal digits>","action":{"type":"send_text",…}}: when it
 * happened, in milliseconds since 1970, and 32 bytes from a secure random source, new for every input.
 *
 * It may also be a bare action, {"type":"send_text",…}. Then time is logical (a millisecond after the last input) and ids
 * come from the seed. That is for tests and scripts. ANYBODY CAN GUESS SUCH IDS: a host with real people always gives
 * "at" and "fresh".
 *
 * The result:
 *
 *     {"changes":["message/…"],           keys of the records whose saved form is out of date
 *      "effects":[{"id":7,"type":…}],     work that this asked for, for reading only: take it from the queue
 *      "records":[{"key":…,"json":…}],    what to save under these keys before anything else; remove a key whose json is null
 *      "seq":12,                          the number of this transition, from 1
 *      "unreadable":[]}                   records that could not be read; leave them as they are
 *
 * RECORDS FIRST, THEN EFFECTS: an effect may tell a peer that a message is safe, so it must be on disk by then.
 */
char *alcove_core_dispatch(alcove_core *core, const char *json);

/* The whole state. Its shape follows the product and may change with every release: for tests and for looking into it. */
char *alcove_core_state(alcove_core *core);

/* The semantic tree: what there is to see and to do. Draw this. */
char *alcove_core_tree(alcove_core *core);

/*
 * What is different in a view since the host last looked, so that it need not draw everything anew.
 *
 * `view` is the id of a view, or {"view":"page","windows":{"chat.messages":{"anchor":"message.…","before":50,"after":50}}}: of each
 * list that is named, only the rows around the anchor come, or without an anchor the last ones. `since` is the revision that the
 * host knows, 0 for none. The result is one of
 *
 *     {"rev":7,"root":{…}}                      the whole tree: the host knew none, or another one, or the screen is another
 *     {"rev":8,"from":7,"removed":["…"],"placed":[{"id":"…","parent":"…","place":3,"node":{…}}],"updated":[{"id":"…","fields":{…}}]}
 *     {"rev":7,"from":7}                        nothing is different
 *
 * and docs/core.md says how to apply it. Lists that are empty are left out. The library keeps the last tree of each view.
 */
char *alcove_core_changes(alcove_core *core, const char *view, uint64_t since);

/*
 * The sentences of a language by their keys, which stand in trees in place of texts: {"language":"en","direction":"left_to_right",
 * "sentences":{"chat.send":"Send","app.remove":"Remove {title}",…}}. docs/core.md says how arguments and numbers go in.
 *
 * `language` is a language tag (BCP 47), "en" for English.
 */
char *alcove_core_catalogue(const char *language);

/*
 * The newest transitions, oldest first, at most `limit`: [{"action":…,"effects":[…],"seq":12,"timestamp_ms":…}].
 *
 * The library remembers ALCOVE_CORE_LOG_LIMIT of them, fewer if they are large. A core that locks forgets them.
 */
char *alcove_core_logs(alcove_core *core, uint32_t limit);

/*
 * The same as alcove_core_dispatch for what a person never does: events, as actions or as inputs. What a person does is
 * refused. Three names that platforms use are understood as well, in place of an action:
 *
 *     {"type":"foreground"}                      became_active
 *     {"type":"background"}                      became_inactive
 *     {"type":"reachability","online":false}     reachability_changed
 */
char *alcove_core_platform_event(alcove_core *core, const char *json);

/*
 * Takes the effects that wait, oldest first: [{"id":7,"type":"open_link",…}]. Each comes once, and this is the only place
 * to take effects from. Answer each by dispatching one event that carries its id.
 *
 * If several threads dispatch, drain only when the records of all finished dispatches have been saved.
 */
char *alcove_core_drain_effects(alcove_core *core);

/* {"abi":2,"alcove":"0.2.0"}, without an envelope. It lives as long as the process: do not free it. */
const char *alcove_core_version(void);

/*
 * The error of the newest call on this core that failed, {"code":…,"message":…}, or null if none has.
 * With NULL: the same for the calls of this thread that had no core, such as alcove_core_new.
 */
char *alcove_core_last_error(alcove_core *core);

/* Gives back a string of this library, once. NULL is ignored. */
void alcove_core_string_free(char *string);

#ifdef __cplusplus
}
#endif

#endif
