"""Elements of SVG drawings: text, colours, patterns, symbols, counters, plots."""
