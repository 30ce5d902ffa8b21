"""The rules kernel in folders, of which none imports one above it: `pyproject.toml` holds their order. Each game is a folder in `games`.

From below: `wording`, `errors`, `refusal`, `suggestions`: words and errors. `toml`: files from outside. `geometry`, `shapes`: maps.
`chance`: sources of dice and draws. `game_files`: rules index, printed names, digest. `history`: recorded matches. `engine`: what rules are
written with. `legal`: options. `secrets`: what seats know, and new deals. `components`: what is in the box.
`worlds`: copies to try commands on, with what a seat does not know dealt anew. `odds`: chances of what a command leads to. `bots`: what a bot is asked and
answers.
`narration`: the ports of words and pictures. `svg`, `drawing`: pictures. `game`: what a game declares, and positions. `file_checks`: owners'
files. `registry`: the installed games. `match`: commands of every match, undo, forks. `audit`: matches played again. `telling`: sentences.
`trials`: options played on many times. `checking`: checks of any game. `authoring`: the short way to write a game.

Pure: no clock, no randomness, no input or output. The caller supplies time, seeds and ids.
"""
