"""Step 3, make a pair comparable: the same kind of mentions on both sides, each in one cluster.

steps           the list of steps, in the order in which they run; `Matcher` takes those of a run
matched         the values: a pair while it is made comparable, and the matched mentions of both sides;
                duplicates, singletons, twinless mentions
preprocessing   steps on documents: layers, discontinuous mentions, offsets, alignment
mention_kinds   mentions of both sides are of one kind; categories that are kept
phrases         verb phrases, minimum spans and nested mentions, by the parse of gold
partners        pairs that may be the same though they are not equal, and the best of them; clusters
                mention by mention, and split antecedents
lookups         each such mention with its partner, or mentions that are looked up one by one
near_misses     what would match if spans were counted in another way: a warning, no step
"""
