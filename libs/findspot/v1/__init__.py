"""The API of Findspot, version 1: generated from protos/findspot/v1, never edited."""
