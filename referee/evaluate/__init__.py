"""How good a refereeing is: result files scored against truth files."""
