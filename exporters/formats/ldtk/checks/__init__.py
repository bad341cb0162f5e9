"""Find the problems of any LDtk project, above all errors that LDtk itself does not report."""
