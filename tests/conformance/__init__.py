"""Handed cases, through the API: facts about real files, compared as their README says."""
