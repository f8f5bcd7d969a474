"""``python -m scorch2``."""

import sys

from scorch2.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
