"""Tests of the art and the training pictures."""
