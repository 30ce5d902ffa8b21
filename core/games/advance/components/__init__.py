"""Components in the box: map, counters and tables, as the packaged file or an owner's has them."""
