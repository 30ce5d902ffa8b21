"""Names, sentences and pictures. The rules never import this."""
