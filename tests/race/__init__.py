"""Order under contention: many clients write the same few paths at once, and what is left has to have an explanation."""
