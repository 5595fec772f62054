/* A library that looks like a core and answers with whatever the scenario's name asks for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "alcove_core.h"

struct alcove_core {
    char mode[64];
};

int hostile_strings_open = 0;

static char *filled(size_t count, const char *pattern) {
    size_t length = strlen(pattern);
    char *text = malloc(count + 1);
    if (!text) return NULL;
    for (size_t i = 0; i < count; i++) text[i] = pattern[i % length];
    text[count] = 0;
    hostile_strings_open++;
    return text;
}

static char *copy(const char *json) { return filled(strlen(json), *json ? json : " "); }

static char *answer(alcove_core *core) {
    const char *mode = core->mode;
    if (strstr(mode, "null")) return NULL;
    if (strstr(mode, "empty")) return copy("");
    if (strstr(mode, "garbage")) return copy("\x01 }{ garbage");
    if (strstr(mode, "latin1")) return copy("{\"ok\":true,\"result\":\"\xe4\"}");
    if (strstr(mode, "huge")) return filled(100u << 20, "[");
    if (strstr(mode, "deep")) return filled(1u << 20, "[");
    if (strstr(mode, "bare")) return copy("{}");
    if (strstr(mode, "cut")) return copy("{\"ok\":true,\"result\":{\"a\":");
    if (strstr(mode, "twice")) return copy("{\"ok\":true,\"result\":1,\"ok\":false}");
    if (strstr(mode, "empty_envelope")) return copy("{\"ok\":true}");
    if (strstr(mode, "spaced")) return copy(" { \"result\" : [ 1.0 ], \"ok\" : true } ");
    if (strstr(mode, "refuses")) return copy("{\"ok\":false,\"error\":{\"code\":\"no\\u001b[2J\",\"message\":\"not today\"}}");
    if (strstr(mode, "speechless")) return copy("{\"ok\":false}");
    return copy("{\"ok\":true,\"result\":[]}");
}

alcove_core *alcove_core_new(const char *config_json) {
    if (config_json && strstr(config_json, "unborn")) return NULL;
    alcove_core *core = calloc(1, sizeof *core);
    if (core && config_json) strncpy(core->mode, config_json, sizeof core->mode - 1);
    return core;
}

void alcove_core_free(alcove_core *core) { free(core); }
char *alcove_core_dispatch(alcove_core *core, const char *json) { return (void)json, answer(core); }
char *alcove_core_state(alcove_core *core) { return answer(core); }
char *alcove_core_tree(alcove_core *core) { return answer(core); }
char *alcove_core_logs(alcove_core *core, uint32_t limit) { return (void)limit, answer(core); }
char *alcove_core_platform_event(alcove_core *core, const char *json) { return (void)json, answer(core); }
char *alcove_core_last_error(alcove_core *core) { return (void)core, copy("{\"ok\":true,\"result\":{\"code\":\"unborn\",\"message\":\"no room\"}}"); }
void alcove_core_string_free(char *string) { hostile_strings_open -= string != NULL; free(string); }

char *alcove_core_drain_effects(alcove_core *core) {
    if (strstr(core->mode, "drains_text")) return copy("{\"ok\":true,\"result\":\"x\"}");
    return copy("{\"ok\":true,\"result\":[]}");
}

#ifndef VERSION
#define VERSION "{\"abi\":2}"
#endif
const char *alcove_core_version(void) { return VERSION; }
