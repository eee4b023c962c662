"""Decks as pictures: fetched from packages, drawn without end, or fetched ones with other indexes."""
