"""The rules kernel in folders, of which none imports one above it: `pyproject.toml` holds their order. Each game is a folder in `games`.

From below: `wording`, `errors`, `refusal`, `suggestions`, `extras`: words and errors. `toml`: files from outside. `geometry`, `shapes`: maps.
`game_files`: rules index, printed names, digest. `history`: recorded matches. `engine`: what rules are written with. `chance`: sources of
dice and draws. `legal`: options. `secrets`: what seats know, and new deals. `components`: what is in the box. `narration`: the ports of
words, pictures and rolls. `positions`: position files. `file_checks`: owners' files. `bots`: what a bot is asked and answers, and the worlds
that it thinks in. `svg`, `drawing`: pictures. `odds`: chances of what a command leads to. `game`: what a game declares. `position_files`: tables written as position files. `registry`: the
installed games. `match`: commands of every match, undo, forks. `telling`: sentences. `authoring`: the short way to write a game.
`environments`: matches for programs that learn. `audit`: matches played again. `trials`: options played on many times. `checking`: checks of any game. `notation`: matches as text.

Pure: no clock, no randomness, no input or output. The caller supplies time, seeds and ids.
"""
