"""Where Findspot keeps things: manifest (the truth), blobs, and two projections, text index and vectors."""
