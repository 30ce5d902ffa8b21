"""Components in the box: Locations, Forces and Action cards, as the packaged file or an owner's has them."""
