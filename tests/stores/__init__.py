"""Tests of the stores: the shipped suite for each, and games in them."""
