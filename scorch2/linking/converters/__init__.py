"""Other people's files to annotations: what neleval's converters take, one file each, to rows."""
