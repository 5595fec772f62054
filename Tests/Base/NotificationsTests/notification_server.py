"""A desktop that shows notifications: prints each call as a line of JSON, and does what the lines on its input say.

notification_server.py CAPABILITY...
    click ID    the person chooses a notification
    accept ID   the person presses the button of a question
    dismiss ID  the person puts it away
    mute        calls are not answered any more
"""
import json, sys, threading
from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
INTERFACE = Gio.DBusNodeInfo.new_for_xml("""
<node><interface name="org.freedesktop.Notifications">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/><arg type="i" direction="in"/>
    <arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
</interface></node>""").interfaces[0]

last, mute = 0, False
# What each question calls its button.
keys = {}


def say(**fields):
    print(json.dumps(fields), flush=True)


def called(connection, sender, path, interface, method, arguments, invocation):
    global last
    values = arguments.unpack()
    if method == "GetCapabilities":
        return invocation.return_value(GLib.Variant("(as)", (sys.argv[1:],)))
    if method == "Notify":
        app, replaced, _, title, text, actions, hints, _ = values
        last = replaced or last + 1
        keys.update({last: key for key in actions[::2] if key != "default"})
        say(call="notify", app=app, number=last, replaced=replaced, title=title, text=text, actions=actions, urgency=hints.get("urgency"))
        return None if mute else invocation.return_value(GLib.Variant("(u)", (last,)))
    say(call="close", number=values[0])
    invocation.return_value(None)


def obey(connection):
    global mute
    for line in sys.stdin:
        word, *number = line.split()
        if word == "mute":
            mute = True
        elif word == "click":
            signal(connection, "ActionInvoked", GLib.Variant("(us)", (int(number[0]), "default")))
        elif word == "accept":
            signal(connection, "ActionInvoked", GLib.Variant("(us)", (int(number[0]), keys.get(int(number[0]), "accept"))))
        elif word == "dismiss":
            signal(connection, "NotificationClosed", GLib.Variant("(uu)", (int(number[0]), 2)))
        say(did=line.strip())


def signal(connection, name, arguments):
    connection.emit_signal(None, PATH, NAME, name, arguments)
    connection.flush_sync()


def owned(connection, name):
    say(ready=True)
    threading.Thread(target=obey, args=(connection,), daemon=True).start()


Gio.bus_own_name(
    Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE,
    lambda connection, _: connection.register_object(PATH, INTERFACE, called, None, None), owned, None)
GLib.MainLoop().run()
