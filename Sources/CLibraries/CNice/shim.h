// libnice (ICE, STUN, TURN) and the parts of GLib that drive it.
#pragma once
#include <glib-object.h>
#include <glib.h>
#include <gio/gio.h>
#include <gio/gnetworking.h>
#include <nice/agent.h>

// g_object_set() and g_signal_connect() are variadic or macros, which do not import into Swift.
static inline void alcove_object_set_boolean(gpointer object, const char *name, gboolean value) {
    g_object_set(object, name, value, NULL);
}
static inline void alcove_object_set_uint(gpointer object, const char *name, guint value) {
    g_object_set(object, name, value, NULL);
}
static inline void alcove_object_set_string(gpointer object, const char *name, const char *value) {
    g_object_set(object, name, value, NULL);
}
static inline void alcove_signals_disconnect(gpointer object, gpointer data) {
    g_signal_handlers_disconnect_matched(object, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, data);
}
