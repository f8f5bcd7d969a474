"""Step 1, bytes to documents and back.

    file ─ source ─▶ bytes ─ reading ─▶ a reader ─▶ Document ─ copies ─▶ a writer ─▶ text ─ target ─▶ file

===========  =========================================================================================
table        `FORMATS`, a row per format: how its files begin, its modules, what it can hold
reading      `read`, `stream`: which format a file is in, and its documents
copies       `write_file`: documents as the content of a file, which is read again; what a copy lacks
source       inputs: files, pipes and standard input to bytes and text
target       outputs: files that are complete before one is in its place
compressed   `COMPRESSIONS`, a row per kind of compressed file
chunks       byte ranges of large files, for workers
fields       numbers, units and links that several formats write
linked       mentions with ids and links between them, which several annotation tools write
rows         one mention, token or document per line; CoNLL columns, TSV, brat, WebAnno, CSV, SACR
json         objects with a ``type``, and `SOURCES`, a row per neural system or tool without one
xml          the anaphora exercise, MMAX2, ECB+, GATE, NAF, TEI, Glozz, XMI; COREF tags of SGML
conllu       CorefUD and Universal Anaphora
===========  =========================================================================================

A new format is a file in one of the four folders, with functions of `FormatModule`, and a row of `FORMATS`.
"""
