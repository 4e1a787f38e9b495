"""What every Findspot service and every caller shares: the API, its client, and the vocabulary behind both."""
