"""Parts of the page of a match, each made from the page's value."""
