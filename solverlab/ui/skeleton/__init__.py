"""The frame every page stands in: header, theme, keys, help and terms, in one HTML document."""
