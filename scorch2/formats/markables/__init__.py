"""XML whose markables point to words: MMAX2 and ECB+."""
