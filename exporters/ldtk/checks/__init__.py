"""What is wrong with an LDtk project, whoever wrote it: above all what LDtk itself takes without a word."""
