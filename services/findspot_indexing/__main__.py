"""`python -m findspot_indexing` serves until it is told to stop."""

from findspot_indexing.main import main

main()
