"""What is in the box: boards, units, cards and charts."""
