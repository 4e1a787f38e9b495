"""`python -m findspot_chunking` serves until it is told to stop."""

from findspot_chunking.main import main

main()
