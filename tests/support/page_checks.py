"""What holds for every page."""

from xml.etree.ElementTree import Element

from tests.support.browsing import HTML, SVG, words


def clickable(page: Element) -> list[Element]:
    return [one for one in page.iter() if one.tag in (f"{HTML}a", f"{HTML}button", f"{SVG}a", f"{HTML}summary")]


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
    headings = [one.tag for one in page.iter() if one.tag == f"{HTML}h1"]

    assert len(ids) == len(set(ids))
    assert unnamed == []
    assert inline == []
    assert [address for address in addresses if not address.startswith(("/", "#")) or address.startswith("//")] == []
    assert [field.get("id") for field in fields if field.get("id") not in labelled] == []
    assert len(headings) == 1
