"""The folder that ``evaluate.load`` of Hugging Face takes: it loads the file of the same name."""

import os

EVALUATE_MODULE = os.path.dirname(__file__)
"""The path of this folder."""
