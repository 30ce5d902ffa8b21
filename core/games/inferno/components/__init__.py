"""Components in the box: hex map, blocks, cards and figures, as the packaged file or an owner's has them."""
