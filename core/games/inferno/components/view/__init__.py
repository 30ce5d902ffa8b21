"""The components as a reader looks at them before a match."""
