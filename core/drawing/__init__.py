"""Pictures of tables for every game, made of what a drawing holds (`core.narration.sheet`) and of elements of SVG (`core.svg`)."""
