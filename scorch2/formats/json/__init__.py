"""JSON: an object with a ``type`` is read by the module of its row, everything else by `dialects`.

==============  ===================================================================================
strict          text to values, without what JSON forbids; which values are mention ids
clusters        clusters JSON, whose text is in `texts` and whose annotations are in `mention_table`
mention_table   mentions with annotations, and graph JSON
dialects        which system or tool wrote an object or a list, by its keys or shape
jsonlines       `SOURCES`, a row per system, and the readers of spans of tokens; jsonlines are written
corpora         corpora across documents, and annotation tools
texts           words, sentences, spans and offsets in all of these; spaCy, Stanza and CoreNLP
==============  ===================================================================================
"""
