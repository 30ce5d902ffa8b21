"""Shapes of places on drawn and printed maps, and maps as text."""
