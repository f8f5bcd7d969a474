"""Texts with marks, as language models write them: a word or a bracket says where a mention is.

`shared` has the documents of a file and how marks become mentions; `marks` has the formats of one screen.
"""
