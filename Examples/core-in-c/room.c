/*
 * A host in C: it makes a room, plays the server that answers, and reads the room's code in the tree, and
 * then what is different in it.
 *
 *     cc room.c $(pkg-config --cflags --libs alcove_core) -o room && ./room
 *
 * A real host reads the JSON with a library of its choice. Here strstr is enough.
 */
#include <alcove_core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Goes on only if the answer is not an error and holds `wanted`. */
static void check(const char *step, const char *answer, const char *wanted) {
    if (answer && strncmp(answer, "{\"ok\":true,", 11) == 0 && strstr(answer, wanted)) return;
    fprintf(stderr, "%s: %s\n", step, answer ? answer : "out of memory");
    exit(1);
}

/* Lets something happen. A real host saves the answer's "records" here, before it looks at effects. */
static void dispatch(alcove_core *core, const char *json) {
    char *answer = alcove_core_dispatch(core, json);
    check(json, answer, "\"seq\":");
    alcove_core_string_free(answer);
}

int main(void) {
    alcove_core *core = alcove_core_new(NULL);
    if (!core) return 1;

    /* Bare actions happen in logical time with ids from a seed: good for an example, never for real people. */
    dispatch(core, "{\"type\":\"started\",\"locked\":false,\"records\":[]}");
    dispatch(core, "{\"type\":\"became_active\"}");
    dispatch(core, "{\"type\":\"create_room\",\"name\":\"Ann\",\"expires_in\":300}");

    char *effects = alcove_core_drain_effects(core);
    check("drain", effects, "\"type\":\"create_room\"");
    unsigned long long id = strtoull(strstr(effects, "\"id\":") + 5, NULL, 10);
    printf("the core asks for a room; the effect is number %llu\n", id);
    alcove_core_string_free(effects);

    char event[160];
    snprintf(event, sizeof event,
             "{\"type\":\"room_created\",\"effect\":%llu,\"code\":\"482913\",\"expires_at\":1700000300000}", id);
    dispatch(core, event);

    /* Revision 0: the host knows no tree yet, and gets all of it. */
    char *tree = alcove_core_changes(core, "main", 0);
    check("tree", tree, "482913");
    const char *label = strstr(tree, "482913");
    while (label > tree && label[-1] != '"') label--;
    printf("the screen says: %.*s\n", (int)strcspn(label, "\""), label);
    unsigned long long revision = strtoull(strstr(tree, "\"rev\":") + 6, NULL, 10);

    /* From then on it asks for what is different, and changes those nodes of its own tree. */
    dispatch(core, "{\"type\":\"reachability_changed\",\"online\":false}");
    char *changes = alcove_core_changes(core, "main", revision);
    check("changes", changes, "\"from\":");
    printf("without a network, %zu bytes are different of %zu\n", strlen(changes), strlen(tree));
    alcove_core_string_free(changes);
    alcove_core_string_free(tree);

    alcove_core_free(core);
    return 0;
}
