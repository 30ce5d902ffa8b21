"""TOML from outside: bounded, with the place of each value and of each defect."""
