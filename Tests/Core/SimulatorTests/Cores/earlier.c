/* A small core of the earlier shape: it pairs and it sends, and leaves the gateway to whoever holds it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD = 256, TEXT = 1 << 16 };

typedef struct {
    char screen[16], connection[16], host[FIELD], code[FIELD], draft[FIELD], error[FIELD];
    char messages[TEXT / 4];
    int count, seq, time, is_processing;
} app;

static void copy(char *to, size_t size, const char *from) { snprintf(to, size, "%s", from); }

/* The text under a key, as it stands. */
static void find(const char *json, const char *key, char *value) {
    char pattern[FIELD];
    value[0] = 0;
    snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
    const char *start = strstr(json, pattern);
    if (!start) return;
    start += strlen(pattern);
    size_t length = strcspn(start, "\"");
    if (length >= FIELD) length = FIELD - 1;
    memcpy(value, start, length);
    value[length] = 0;
}

/* The log goes on. */
static void begin(app *self) {
    int seq = self->seq, time = self->time;
    memset(self, 0, sizeof *self);
    self->seq = seq;
    self->time = time;
    copy(self->screen, sizeof self->screen, "onboarding");
    copy(self->connection, sizeof self->connection, "disconnected");
}

/* Three of the twelve scenarios, and the one that there is always; 0 for any other. */
static int load(app *self, const char *scenario) {
    const char *known[] = {"connected_chat", "tool_failed", "offline_queued_message"};
    if (!strcmp(scenario, "onboarding")) return begin(self), 1;
    for (int i = 0; i < 3; i++) {
        if (strcmp(scenario, known[i])) continue;
        begin(self);
        copy(self->screen, sizeof self->screen, "chat");
        copy(self->connection, sizeof self->connection, i == 2 ? "disconnected" : "connected");
        if (i == 1) copy(self->error, FIELD, "Last simulated tool failed.");
        if (i == 2) copy(self->draft, FIELD, "Queued while offline");
        return 1;
    }
    return 0;
}

void *jcode_mobile_app_new(const char *config) {
    app *self = calloc(1, sizeof *self);
    char scenario[FIELD] = "onboarding";
    if (!self) return NULL;
    if (config && config[0] == '"') snprintf(scenario, FIELD, "%.*s", (int)strcspn(config + 1, "\""), config + 1);
    if (config && config[0] == '{') find(config, "scenario", scenario);
    if (load(self, scenario)) return self;
    free(self);
    return NULL;
}

void jcode_mobile_app_free(void *self) { free(self); }
void jcode_mobile_string_free(char *text) { free(text); }

static void write_state(const app *self, char *text) {
    snprintf(
        text, TEXT,
        "{\"screen\":\"%s\",\"connection_state\":\"%s\",\"pairing\":{\"host\":\"%s\",\"pair_code\":\"%s\"},"
        "\"draft_message\":\"%s\",\"error_message\":%s%s%s,\"messages\":[%s]}",
        self->screen, self->connection, self->host, self->code, self->draft, self->error[0] ? "\"" : "",
        self->error[0] ? self->error : "null", self->error[0] ? "\"" : "", self->messages);
}

char *jcode_mobile_state(void *self) {
    char *text = malloc(TEXT);
    if (text) write_state(self, text);
    return text;
}

/* Where a node is, or nothing in a core that leaves that to whoever draws it. */
static size_t place(char *text, int x, int y, int width, int height) {
#ifdef WITHOUT_PLACES
    (void)text, (void)x, (void)y, (void)width, (void)height;
    return 0;
#else
    return sprintf(text, "\"bounds\":{\"x\":%d,\"y\":%d,\"width\":%d,\"height\":%d},", x, y, width, height);
#endif
}

/* A node and a comma after it. */
static size_t node(
    char *text, const char *id, const char *role, const char *label, const char *value, int enabled, int x, int y,
    int width, int height) {
    char quoted[FIELD + 2] = "null";
    if (value) snprintf(quoted, sizeof quoted, "\"%s\"", value);
    const char *actions = !enabled ? "" : value ? "\"set_text\",\"type_text\"" : "\"tap\"";
    size_t n = sprintf(
        text,
        "{\"id\":\"%s\",\"role\":\"%s\",\"label\":\"%s\",\"value\":%s,\"visible\":true,\"enabled\":%s,\"focused\":false,"
        "\"accessibility_label\":\"%s\",\"accessibility_value\":%s,\"supported_actions\":[%s],",
        id, role, label, quoted, enabled ? "true" : "false", label, quoted, actions);
    n += place(text + n, x, y, width, height);
    return n + sprintf(text + n, "\"children\":[]},");
}

char *jcode_mobile_tree(void *pointer) {
    app *self = pointer;
    char *text = malloc(TEXT);
    if (!text) return NULL;
    size_t n = snprintf(
        text, TEXT, "{\"screen\":\"%s\",\"root\":{\"id\":\"root\",\"role\":\"screen\",\"label\":\"Earlier\",", self->screen);
    n += place(text + n, 0, 0, 390, 844);
    n += snprintf(text + n, TEXT - n, "\"children\":[");
    if (!strcmp(self->screen, "chat")) {
        n += node(text + n, "chat.draft", "composer", "Message", self->draft, 1, 16, 690, 358, 52);
        n += node(text + n, "chat.send", "button", "Send", NULL, !strcmp(self->connection, "connected"), 280, 766, 94, 44);
        n += node(text + n, "chat.interrupt", "button", "Interrupt", NULL, self->is_processing, 16, 766, 120, 44);
    } else {
        n += node(text + n, "pair.host", "text_input", "Host", self->host, 1, 16, 72, 358, 52);
        n += node(text + n, "pair.code", "text_input", "Code", self->code, 1, 16, 136, 358, 52);
        n += node(text + n, "pair.submit", "button", "Pair", NULL, 1, 16, 200, 358, 52);
    }
    snprintf(text + n - 1, TEXT - n + 1, "]}}");
    return text;
}

static void add(app *self, const char *role, const char *what) {
    size_t n = strlen(self->messages);
    self->count++;
    snprintf(
        self->messages + n, sizeof self->messages - n, "%s{\"id\":\"msg-%s-%d\",\"role\":\"%s\",\"text\":\"%s\"}",
        n ? "," : "", role, self->count, role, what);
}

/* Lets an action happen; `effect` is what it asks for. */
static void reduce(app *self, const char *action, char *effect) {
    char type[FIELD], value[FIELD];
    find(action, "type", type);
    find(action, "value", value);
    if (!strcmp(type, "reset")) begin(self);
    if (!strcmp(type, "set_host")) copy(self->host, FIELD, value);
    if (!strcmp(type, "set_pair_code")) copy(self->code, FIELD, value);
    if (!strcmp(type, "set_draft")) copy(self->draft, FIELD, value);
    if (!strcmp(type, "tap_node") && strstr(action, "pair.submit")) {
        copy(self->connection, sizeof self->connection, "connecting");
        snprintf(
            effect, TEXT, "{\"type\":\"pair_and_connect\",\"host\":\"%s\",\"pair_code\":\"%s\"}", self->host, self->code);
    }
    if (!strcmp(type, "tap_node") && strstr(action, "chat.send")) {
        add(self, "user", self->draft);
        snprintf(effect, TEXT, "{\"type\":\"send_message\",\"text\":\"%s\"}", self->draft);
        self->draft[0] = 0;
        self->is_processing = 1;
    }
    if (!strcmp(type, "tap_node") && strstr(action, "chat.interrupt")) self->is_processing = 0;
    if (!strcmp(type, "finish_turn")) self->is_processing = 0;
    if (!strcmp(type, "connected")) {
        copy(self->screen, sizeof self->screen, "chat");
        copy(self->connection, sizeof self->connection, "connected");
        if (!self->count) add(self, "system", "Connected.");
    }
    if (!strcmp(type, "pairing_failed") || !strcmp(type, "connection_failed")) {
        find(action, "message", self->error);
        copy(self->connection, sizeof self->connection, "disconnected");
    }
    if (!strcmp(type, "append_assistant_text")) {
        find(action, "text", value);
        add(self, "assistant", value);
    }
}

char *jcode_mobile_dispatch(void *pointer, const char *action) {
    app *self = pointer;
    char *text = malloc(4 * TEXT), *before = malloc(TEXT), *after = malloc(TEXT), *effect = calloc(1, TEXT);
    if (!text || !before || !after || !effect) abort();
    char type[FIELD], scenario[FIELD];
    find(action, "type", type);
    find(action, "scenario", scenario);
    write_state(self, before);
    if (!strcmp(type, "fly") || (!strcmp(type, "load_scenario") && !load(self, scenario))) {
        strcpy(text, "{\"error\":\"unknown\"}");
        free(before);
        free(after);
        free(effect);
        return text;
    }
    reduce(self, action, effect);
    write_state(self, after);
    int seq = ++self->seq, time = self->time++;
    size_t n = snprintf(
        text, 4 * TEXT,
        "{\"transitions\":[{\"seq\":%d,\"timestamp_ms\":%d,\"action\":%s,\"before\":%s,\"after\":%s,\"effects\":[%s]}],"
        "\"effect_records\":[",
        seq, time, action, before, after, effect);
    if (effect[0])
        n += snprintf(text + n, 4 * TEXT - n, "{\"seq\":%d,\"timestamp_ms\":%d,\"effect\":%s}", seq, self->time++, effect);
    snprintf(text + n, 4 * TEXT - n, "],\"final_state\":%s}", after);
    free(before);
    free(after);
    free(effect);
    return text;
}

char *jcode_mobile_platform_event(void *self, const char *event) { return jcode_mobile_dispatch(self, event); }

char *jcode_mobile_logs(void *self, uint32_t limit) {
    (void)self;
    (void)limit;
    char *text = malloc(3);
    if (text) strcpy(text, "[]");
    return text;
}
