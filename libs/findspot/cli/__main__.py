"""`python -m findspot.cli`: the `findspot` command where its script is not on the path."""

from findspot.cli import main

main()
