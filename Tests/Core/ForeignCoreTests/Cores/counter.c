/* A core that counts, in the shape of the eight functions: an example of what a foreign core may look like. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LONG_NAMES
#define NAME(name) jcode_mobile_app_##name
#else
#define NAME(name) jcode_mobile_##name
#endif

typedef struct {
    int count;
    char scenario[64];
} app;

/* How many strings were made and not given back. */
int counter_strings_open = 0;

static char *text(const char *json) {
    char *copy = malloc(strlen(json) + 1);
    if (copy) {
        strcpy(copy, json);
        counter_strings_open++;
    }
    return copy;
}

void *jcode_mobile_app_new(const char *initial_scenario_json) {
    app *made = calloc(1, sizeof *made);
    if (made) snprintf(made->scenario, sizeof made->scenario, "%s", initial_scenario_json ? initial_scenario_json : "null");
    return made;
}

void jcode_mobile_app_free(void *pointer) { free(pointer); }

char *NAME(state)(void *pointer) {
    app *self = pointer;
    char json[128];
    snprintf(json, sizeof json, "{\"count\": %d, \"scenario\": %s}", self->count, self->scenario);
    return text(json);
}

char *NAME(tree)(void *pointer) {
    (void)pointer;
    return text("{\"screen\":\"chat\",\"root\":{\"id\":\"root\",\"role\":\"screen\",\"children\":[]}}");
}

char *NAME(logs)(void *pointer, uint32_t limit) {
    (void)pointer;
    char json[32];
    snprintf(json, sizeof json, "[%u]", limit);
    return text(json);
}

char *NAME(dispatch)(void *pointer, const char *action_json) {
    app *self = pointer;
    if (strstr(action_json, "tap_node")) return text("{\"transitions\":[{\"seq\":1}],\"effect_records\":[],\"final_state\":{}}");
    if (!strstr(action_json, "count")) return text("{\"error\":\"unknown action\"}");
    self->count++;
    return text("{\"transitions\":[{\"seq\":1}],"
                "\"effect_records\":[{\"seq\":1,\"timestamp_ms\":2,\"effect\":{\"type\":\"send_message\",\"text\":\"hi\"}}],"
                "\"final_state\":{}}");
}

char *NAME(platform_event)(void *pointer, const char *event_json) {
    (void)pointer;
    (void)event_json;
    return text("{}");
}

void NAME(string_free)(char *string) {
    if (string) counter_strings_open--;
    free(string);
}
