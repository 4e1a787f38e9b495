"""`python -m findspot_embedding`."""

from findspot_embedding.main import main

if __name__ == "__main__":
    main()
