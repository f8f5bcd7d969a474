"""Tables as text, Markdown, LaTeX, HTML and tab-separated rows, and names that cannot act in them."""
