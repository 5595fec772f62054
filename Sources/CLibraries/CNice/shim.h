// libnice (ICE, STUN, TURN) and the parts of GLib that drive it.
#pragma once
#include <glib-object.h>
#include <glib.h>
#include <gio/gio.h>
#include <gio/gnetworking.h>
#include <nice/agent.h>
