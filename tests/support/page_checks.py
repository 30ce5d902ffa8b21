"""What holds for every page."""

from xml.etree.ElementTree import Element

from tests.support.browsing import HTML, SVG, words

HEADINGS = tuple(f"{HTML}h{level}" for level in range(1, 7))


def clickable(page: Element) -> list[Element]:
    return [one for one in page.iter() if one.tag in (f"{HTML}a", f"{HTML}button", f"{SVG}a", f"{HTML}summary")]


def skipped_levels(page: Element) -> list[tuple[int, int, str]]:
    """Return the headings that are more than one level below the heading before them: both levels, and the words."""
    found = [(int(one.tag[-1]), words(one)) for one in page.iter() if one.tag in HEADINGS]
    before = [0, *(level for level, _ in found)]
    return [(above, level, text) for above, (level, text) in zip(before, found, strict=False) if level > above + 1]


def check(page: Element) -> None:
    """Check what holds for every page."""
    ids = [one.attrib["id"] for one in page.iter() if "id" in one.attrib]
    unnamed = [one for one in clickable(page) if not (words(one) or one.get("aria-label"))]
    inline = [
        (one.tag, name)
        for one in page.iter()
        for name in one.attrib
        if name == "style" or name.startswith("on") or one.tag in (f"{HTML}style", f"{SVG}style")
    ]
    addresses = [one.attrib[name] for one in page.iter() for name in ("href", "src", "action") if name in one.attrib]
    fields = [
        one for one in page.iter() if one.tag in (f"{HTML}input", f"{HTML}select") and one.get("type") != "hidden"
    ]
    labelled = {one.get("for") for one in page.iter(f"{HTML}label")}
    titles = [one.tag for one in page.iter() if one.tag == f"{HTML}h1"]

    assert len(ids) == len(set(ids))
    assert unnamed == []
    assert inline == []
    assert [address for address in addresses if not address.startswith(("/", "#")) or address.startswith("//")] == []
    unlabelled = [one for one in fields if not one.get("aria-label") and one.get("id") not in labelled]

    assert unlabelled == []
    assert len(titles) == 1
    assert skipped_levels(page) == []
