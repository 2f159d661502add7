"""What continuous integration reads: JUnit, SARIF, annotations, a summary in Markdown, events."""
