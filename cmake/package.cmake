# Packages, at top level only.
