"""Forms of the pages, and the fields in them."""

from collections.abc import Mapping

from server.page_parts.html import Attribute, Content, Html, tag


def hidden_fields(values: Mapping[str, str]) -> list[Html]:
    """Return fields that a form sends besides what the visitor fills in."""
    return [tag("input", {"type": "hidden", "name": name, "value": value}) for name, value in values.items()]


def form(
    to: str, token: str, *contents: Content, class_: str = "", id_: str | None = None, is_single: bool = False
) -> Html:
    """Return a form that is sent to this server only, with the proof that it was made for this visitor.

    Args:
        to: Where it is sent.
        token: The proof.
        contents: What it holds.
        class_: Its class, or nothing.
        id_: Its id, for fields that stand elsewhere, or None.
        is_single: Whether it has a single button, which a script may press for a visitor who wishes so.
    """
    attributes: dict[str, Attribute] = {"method": "post", "action": to, "class": class_ or None, "id": id_}
    return tag("form", {**attributes, "data-single": is_single}, hidden_fields({"token": token}), *contents)


def stepper(name: str, called: str, count: int, *, least: int, most: int, form_id: str | None = None) -> Html:
    """Return a field for a number, with buttons for one more and one less that are there with scripts only.

    Args:
        name: The name of the field.
        called: What is counted.
        count: The number at first.
        least: The smallest number.
        most: The largest number.
        form_id: The form of which the field is, if that is not the one around it.
    """
    ways = [
        tag("button", {"type": "button", "data-by": by, "aria-label": f"{said}: {called}", "tabindex": -1}, sign)
        for by, sign, said in ((-1, "\N{MINUS SIGN}", "One less"), (1, "+", "One more"))
    ]
    field: dict[str, Attribute] = {
        "type": "number",
        "name": name,
        "min": least,
        "max": most,
        "value": count,
        "form": form_id,
    }
    input_ = tag("input", {**field, "aria-label": f"How many: {called}"})
    return tag("span", {"class": "stepper"}, ways[0], input_, ways[1], tag("small", None, f"of {most}"))
