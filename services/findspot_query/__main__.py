"""`python -m findspot_query`."""

from findspot_query.main import main

if __name__ == "__main__":
    main()
