"""Rows about the pages: a moment of a long match, its bytes, an event that is told to many browsers, and a step in one."""

import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from itertools import count

from core.match.bound_games import bound_game
from core.match.player_commands import AddNote
from core.registry.games import game_keys, load_game
from core.telling.names import Names
from events.ids import PUBLIC, GameKey, MatchId
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.client.sockets import connect
from server.page_parts.story import Story
from server.web.pages.match_page import match_page
from server.web.panels.page_model import PageModel
from tests.bench import browsers, children, our_play, stepper
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure
from tests.support.chromium import MISSING
from tests.support.served import served
from tests.support.site import site

MATCH = MatchId("long")
LARGEST, STEPPED = GameKey("axis_allies"), 60
"""The game with the largest pages, and after how many commands its match is looked at."""
LONG = 2
"""The matches of these rows may have so many times the commands of others: the longest has more than 10,000 events."""
SETTLED_S = 0.05
"""What it takes until nothing of an earlier event is under way any more."""


def story_of(plan: Plan, game: GameKey) -> Story:
    """Play a random match and return it as everybody sees it."""
    log = MemoryLog()
    playing, dice = our_play.begun(MATCH, our_play.SEED, game, log), random.Random(our_play.SEED)
    for _ in range(LONG * plan.commands):
        if our_play.taken(playing, dice, log) is None:
            break
    narration = bound_game(game, None).narration
    story = Story(MATCH, PUBLIC, Names(narration), narration)
    for slice_ in local_client(log).log(MATCH, PUBLIC):
        story.take(slice_)
    return story


def moments(plan: Plan, story: Story) -> Contestant:
    """Make pages of random moments, none of them twice."""
    numbers = random.Random(1).sample(range(1, story.last + 1), story.last)
    turns = count()

    def page() -> int:
        number = numbers[next(turns) % len(numbers)]
        return len(match_page(PageModel(story, number, is_live=False)).encode())

    def made() -> Figures:
        pages, most, began = 0, 0, time.perf_counter()
        while time.perf_counter() - began < plan.slice_s:
            most = max(most, page())
            pages += 1
        return {"ms": (time.perf_counter() - began) / pages * 1_000, "bytes": most}

    return made


def pages(plan: Plan) -> list[Line]:
    """Measure the pages of a random match of each game."""
    lines = []
    for game in game_keys():
        story = story_of(plan, game)
        samples = alternate({"ours": moments(plan, story)}, plan.runs)
        what = f"of a match of {story.last:,} events, {load_game(game).title}"
        for metric, unit, said, most in (
            ("ms", "ms", "page of a moment", 50),
            ("bytes", "bytes", "the largest page", 200_000),
        ):
            figure, spread = our_figure(samples, metric)
            goals = (Goal("itself", most),)
            lines.append(
                Line(
                    f"pages.{game}.{metric}",
                    f"{said} {what}",
                    unit,
                    more_is_better=False,
                    ours=figure,
                    spread=spread,
                    goals=goals,
                )
            )
    return lines


def ours(plan: Plan, closing: ExitStack) -> Contestant:
    """Play commands of a match that browsers follow on our pages."""
    broker = closing.enter_context(served(MemoryLog()))
    client = closing.enter_context(connect(broker.address))
    opened = client.open(our_play.GAME, dice="seeded", seed=our_play.SEED)
    for seat in opened.seats:
        client.take_seat(opened.match, seat, share=False)
    server = closing.enter_context(children.child(browsers.pages, broker.address))
    last = client.state(opened.match).seq
    path = f"/m/{opened.match}/news?after={last}"
    reading = closing.enter_context(children.child(browsers.browse, server.pipe.recv(), path, plan.browsers))
    reading.pipe.recv()
    seat, numbers = opened.seats[0], count()

    def note() -> None:
        client.play(opened.match, seat, AddNote(text=f"note {next(numbers)}"))

    return until_told(reading, note)


def bare(plan: Plan, closing: ExitStack) -> Contestant:
    """Tell as many browsers something, and do nothing else."""
    server = closing.enter_context(children.child(browsers.bare))
    reading = closing.enter_context(children.child(browsers.browse, server.pipe.recv(), "/", plan.browsers))
    reading.pipe.recv()
    return until_told(reading, lambda: server.pipe.send("tell"))


def until_told(reading: children.Child, happen: Callable[[], None]) -> Contestant:
    """Let something happen again and again, and measure until the last browser knows."""

    def happened() -> Figures:
        time.sleep(SETTLED_S)
        reading.pipe.send("listen")
        reading.pipe.recv()
        began = time.monotonic()
        happen()
        return {"ms": (reading.pipe.recv() - began) * 1_000}

    return happened


def browsing(plan: Plan) -> list[Line]:
    """Measure how long an event takes to the last of many browsers."""
    with ExitStack() as closing:
        contestants: dict[str, Contestant | None] = {"ours": ours(plan, closing), "bare": bare(plan, closing)}
        samples = alternate(contestants, plan.runs)
    figure, spread = our_figure(samples, "ms")
    title = f"a note, from the player to the last of {plan.browsers} browsers"
    limit = anchor("bare Starlette, no log", samples, "bare", "ms")
    goals = (Goal("limit", 5.0, 2.5),)
    return [
        Line("browsers.ms", title, "ms", more_is_better=False, ours=figure, spread=spread, limit=limit, goals=goals)
    ]


def stepped(walking: children.Child, what: str, slice_s: float) -> Contestant:
    """Let a browser do something again and again, and take the median."""

    def done() -> Figures:
        taken: list[float] = []
        until = time.perf_counter() + slice_s
        while not taken or time.perf_counter() < until:
            walking.pipe.send(what)
            taken.append(walking.pipe.recv())
        return {"ms": sorted(taken)[len(taken) // 2]}

    return done


def stepping(plan: Plan) -> list[Line]:
    """Measure a step by key in a browser, which asks the server for nothing: the moment beside the shown one is there already."""
    line = Line(
        "steps.ms",
        f"a step in the browser, {load_game(LARGEST).title}",
        "ms",
        more_is_better=False,
        ours=None,
        goals=(Goal("limit", 2.0, 1.25),),
        note=MISSING,
    )
    with ExitStack() as closing:
        pages = closing.enter_context(site())
        match = pages.prepared(LARGEST, commands=STEPPED)
        walking = closing.enter_context(children.child(stepper.run, f"{pages.address}/m/{match}"))
        if not walking.pipe.recv():
            return [line]
        contestants: dict[str, Contestant | None] = {
            "ours": stepped(walking, stepper.STEP, plan.slice_s),
            "raw": stepped(walking, stepper.PAGE, plan.slice_s),
        }
        samples = alternate(contestants, plan.runs)
    figure, spread = our_figure(samples, "ms")
    limit = anchor("the same page parsed and laid out", samples, "raw", "ms")
    return [replace(line, ours=figure, spread=spread, limit=limit, note="")]


ROWS = (
    Row("pages", "the page of a moment, of every game", pages),
    Row("browsers", "an event that is told to many browsers", browsing),
    Row("steps", "a step in a browser", stepping),
)
