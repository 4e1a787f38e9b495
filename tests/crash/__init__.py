"""Nothing is lost: a live suite is killed again and again while it works, and examined after each time."""
