"""Pictures of tables for every game: what a picture holds (`sheet`), and how it becomes SVG (`picture_svg`)."""
