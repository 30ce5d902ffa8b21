"""A browser that steps through a match on our pages, in a process of its own: how long a step takes that waits for no answer."""

from multiprocessing.connection import Connection

from tests.bench.children import STOP
from tests.support.chromium import chromium

STEP = "step"
PAGE = "page"

PREPARE = """
performance.setResourceTimingBufferSize(100000);
globalThis.pause = (ms) => new Promise((done) => setTimeout(done, ms));
globalThis.turn = () => new Promise((done) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = done;
  channel.port2.postMessage(0);
});
globalThis.isBack = false;
"""
# A step goes back and on in turns. It is over when the address has changed, which comes last, and the page is laid out.
SCRIPTS = {
    STEP: """async () => {
      isBack = !isBack;
      const link = document.querySelector(`a[data-step="${isBack ? "back" : "on"}-event"]`);
      const moment = link.href.split("#")[0];
      const asked = () => performance.getEntriesByName(moment).length;
      while (!asked()) await pause(5);
      await pause(20);
      const before = asked();
      const began = performance.now();
      const key = isBack ? "ArrowLeft" : "ArrowRight";
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      while (location.href.split("#")[0] !== moment) await turn();
      document.body.getBoundingClientRect();
      const took = performance.now() - began;
      if (asked() !== before) throw new Error(`a step asked for ${moment}`);
      return took;
    }""",
    PAGE: """async () => {
      globalThis.page ??= await (await fetch(location.href)).text();
      const began = performance.now();
      const main = new DOMParser().parseFromString(page, "text/html").getElementById("main");
      document.body.append(main);
      document.body.getBoundingClientRect();
      const took = performance.now() - began;
      main.remove();
      return took;
    }""",
}


def run(pipe: Connection, address: str) -> None:
    """Open a moment of a match, and measure in milliseconds what is asked for until told to stop.

    The first message is whether there is a browser.
    """
    with chromium() as browser:
        pipe.send(browser is not None)
        if browser is None:
            return
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.wait_for_selector("html.scripted", state="attached")
        page.evaluate(PREPARE)
        while (what := pipe.recv()) != STOP:
            pipe.send(page.evaluate(SCRIPTS[what]))
