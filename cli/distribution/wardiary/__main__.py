"""`python -m wardiary` is the command line."""

from wardiary import main

main()
