"""Load from outside of Python: ghz where Go is, else h2load, over the requests of deploy/load."""
