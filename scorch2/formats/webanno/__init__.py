"""WebAnno TSV 3, the rows of the annotation tools WebAnno and INCEpTION."""
