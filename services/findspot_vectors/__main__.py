"""`python -m findspot_vectors` serves until it is told to stop."""

from findspot_vectors.main import main

main()
