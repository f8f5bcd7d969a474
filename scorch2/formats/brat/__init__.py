"""brat standoff: mentions by the characters of a text, relations between them."""
