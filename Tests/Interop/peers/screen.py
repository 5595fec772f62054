"""What a terminal shows after a program wrote FILE: screen.py FILE COLUMNS ROWS. The last line has the cursor's place."""

import sys

import pyte

path, columns, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
screen = pyte.HistoryScreen(columns, rows, history=100_000)
with open(path, "rb") as written:
    pyte.ByteStream(screen).feed(written.read())
history = ["".join(line[column].data for column in range(columns)) for line in screen.history.top]
for line in history + screen.display:
    print(line.rstrip())
print(f"cursor {screen.cursor.x} {screen.cursor.y + len(history)}")
