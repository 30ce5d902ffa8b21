"""Components in the box: boards, units, cards and charts."""
