"""JSON: an object with a ``type`` is read by the module of its row, everything else by `dialects`.

==============  ===================================================================================
strict          text to values, without what JSON forbids; which values are mention ids
clusters        clusters JSON, whose text is in `texts` and whose annotations are in `mention_table`
graph           graph JSON
dialects        which system or tool wrote an object or a list, by its keys or shape
jsonlines       `SOURCES`, a row per system, and the readers of spans of tokens; jsonlines are written
texts           words, sentences, spans and offsets in all of these; spaCy, Stanza and CoreNLP
==============  ===================================================================================
"""
