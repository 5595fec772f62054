// GIO's side of D-Bus: messages to the desktop, and what it says back.
#pragma once
#include <gio/gio.h>

// g_variant_new() is variadic, which does not import into Swift, and G_VARIANT_TYPE() is a macro.

// The arguments of Notify (Desktop Notifications Specification 1.2): an empty list of actions, or the one of a click.
static inline GVariant *alcove_notify_arguments(
    guint32 replaced, const char *title, const char *text, const char *action, const char *accept,
    const char *key) {
    GVariantBuilder actions, hints;
    g_variant_builder_init(&actions, G_VARIANT_TYPE("as"));
    if (action) {
        g_variant_builder_add(&actions, "s", "default");
        g_variant_builder_add(&actions, "s", action);
    }
    if (accept) {
        g_variant_builder_add(&actions, "s", key);
        g_variant_builder_add(&actions, "s", accept);
    }
    g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&hints, "{sv}", "category", g_variant_new_string("im.received"));
    /* A question stays until it is answered: critical, and without an end of its own. */
    if (accept) g_variant_builder_add(&hints, "{sv}", "urgency", g_variant_new_byte(2));
    return g_variant_new(
        "(susssasa{sv}i)", "Alcove", replaced, "", title, text, &actions, &hints, accept ? 0 : -1);
}

static inline GVariant *alcove_number_argument(guint32 number) { return g_variant_new("(u)", number); }

static inline GVariant *alcove_text_argument(const char *text) { return g_variant_new("(s)", text); }

static inline gboolean alcove_variant_is(GVariant *value, const char *type) {
    return value && g_variant_is_of_type(value, G_VARIANT_TYPE(type));
}
