"""Parts of pages that the pages for browsers and the report share: HTML, style, the story of a match, pictures, dice."""
