"""The label of a place is left out where its name says it."""

from core.narration.place_name import PlaceName
from events.ids import PlaceId
from tests.support.rows import each_row


@each_row(
    ("name", "label", "further"),
    [
        ("F6", "f6", ""),
        ("Red Camp", "R", ""),
        ("Factory 16", "16", ""),
        ("Mill", "*", ""),
        ("Mill", "16", "16"),
        ("10th Street", "1", "1"),
        ("Old Mill", "M", "M"),
    ],
)
def test_a_label_that_the_name_says_is_left_out(name: str, label: str, further: str) -> None:
    assert PlaceName(PlaceId("x"), name, label).further_label == further


def test_a_place_of_some_scenarios_is_in_these_only() -> None:
    place = PlaceName(PlaceId("x"), "Mill", "M", only_in=("night", "four"))

    assert [place.is_in(*played) for played in (("night", ""), ("field", "four"), ("field", "two"))] == [
        True,
        True,
        False,
    ]
    assert PlaceName(PlaceId("x"), "Mill", "M").is_in("field", "two")
