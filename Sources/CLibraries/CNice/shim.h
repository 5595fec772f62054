// libnice (ICE, STUN, TURN) and the parts of GLib that drive it.
#pragma once
#include <glib-object.h>
#include <glib.h>
#include <gio/gio.h>
#include <gio/gnetworking.h>
#include <nice/agent.h>
#include <errno.h>
#include <poll.h>
#include <time.h>

#ifdef __linux__
// In the C library's headers only for GNU programs.
int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals);
#endif

// g_poll() with a limit in nanoseconds; below zero for none. A GPollFD is a struct pollfd.
static inline int alcove_poll(GPollFD *files, guint count, gint64 nanoseconds) {
#ifdef __linux__
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return ppoll((struct pollfd *)files, count, nanoseconds < 0 ? NULL : &limit, NULL);
#else
    return g_poll(files, count, nanoseconds < 0 ? -1 : (int)((nanoseconds + 999999) / 1000000));
#endif
}

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
