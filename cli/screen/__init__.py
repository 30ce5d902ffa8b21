"""The screen of one seat: what it shows and what it does, and the terminal application that draws it."""
