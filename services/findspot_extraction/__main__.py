"""`python -m findspot_extraction` serves until it is told to stop."""

from findspot_extraction.main import main

# Worker processes load the main module of their parent under another name.
if __name__ == "__main__":
    main()
