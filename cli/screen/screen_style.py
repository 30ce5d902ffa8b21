"""The style of the screen: no borders, the colours of the terminal, and nothing that only a colour tells."""

CSS = """
* { scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
Screen { background: ansi_default; color: ansi_default; layout: vertical; }
#head, #reading-head { height: 1; text-style: reverse; }
#table, #hand, #log { height: 1fr; min-height: 1; border: none; padding: 0; background: ansi_default; }
#rule { height: 1; text-style: bold; }
#news { height: auto; }
#question { height: auto; text-style: bold; }
OptionList { border: none; padding: 0; background: ansi_default; color: ansi_default; }
OptionList:focus { border: none; }
OptionList > .option-list--option { padding: 0; color: ansi_default; background: ansi_default; text-style: none; }
OptionList > .option-list--option-highlighted { color: ansi_default; background: ansi_default; text-style: none; }
OptionList > .option-list--option-disabled { color: ansi_default; background: ansi_default; text-style: bold; }
#options { height: auto; }
#message { height: auto; text-style: bold; }
#line { height: 1; }
#prompt { width: 2; height: 1; }
#typed > .input--cursor { color: ansi_default; background: ansi_default; text-style: reverse; }
#typed > .input--selection { color: ansi_default; background: ansi_default; text-style: reverse; }
#typed { width: 1fr; height: 1; border: none; padding: 0; background: ansi_default; color: ansi_default; }
#keys, #reading-keys { height: 1; text-style: reverse; }
#reading { height: 1fr; }
"""
