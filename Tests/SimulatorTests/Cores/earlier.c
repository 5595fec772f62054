/* A small core of the earlier shape: it pairs and it sends, and leaves the gateway to whoever holds it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD = 256, TEXT = 1 << 16 };

typedef struct {
    char screen[16], connection[16], host[FIELD], code[FIELD], draft[FIELD], error[FIELD];
    char messages[TEXT / 4];
    int count, seq, time;
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

static void begin(app *self) {
    memset(self, 0, sizeof *self);
    copy(self->screen, sizeof self->screen, "onboarding");
    copy(self->connection, sizeof self->connection, "disconnected");
}

void *jcode_mobile_app_new(const char *scenario) {
    app *self = malloc(sizeof *self);
    if (!self) return NULL;
    begin(self);
    if (scenario && strstr(scenario, "connected_chat")) {
        copy(self->screen, sizeof self->screen, "chat");
        copy(self->connection, sizeof self->connection, "connected");
    }
    return self;
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

char *jcode_mobile_tree(void *pointer) {
    app *self = pointer;
    char *text = malloc(TEXT);
    if (!text) return NULL;
    const char *field =
        "{\"id\":\"%s\",\"role\":\"text_input\",\"label\":\"%s\",\"value\":\"%s\",\"visible\":true,\"enabled\":true,"
        "\"focused\":false,\"supported_actions\":[\"set_text\",\"type_text\"],\"children\":[]},";
    const char *button =
        "{\"id\":\"%s\",\"role\":\"button\",\"label\":\"%s\",\"value\":null,\"visible\":true,\"enabled\":%s,"
        "\"focused\":false,\"supported_actions\":[\"tap\"],\"children\":[]}";
    size_t n = snprintf(
        text, TEXT, "{\"screen\":\"%s\",\"root\":{\"id\":\"root\",\"role\":\"screen\",\"label\":\"Earlier\",\"children\":[",
        self->screen);
    if (!strcmp(self->screen, "chat")) {
        n += snprintf(text + n, TEXT - n, field, "chat.draft", "Message", self->draft);
        n += snprintf(
            text + n, TEXT - n, button, "chat.send", "Send", !strcmp(self->connection, "connected") ? "true" : "false");
    } else {
        n += snprintf(text + n, TEXT - n, field, "pair.host", "Host", self->host);
        n += snprintf(text + n, TEXT - n, field, "pair.code", "Code", self->code);
        n += snprintf(text + n, TEXT - n, button, "pair.submit", "Pair", "true");
    }
    snprintf(text + n, TEXT - n, "]}}");
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
    }
    if (!strcmp(type, "connected")) {
        copy(self->screen, sizeof self->screen, "chat");
        copy(self->connection, sizeof self->connection, "connected");
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
    write_state(self, before);
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
