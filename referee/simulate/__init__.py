"""Two scripted players, and a camera that films them: footage of whole games with exact truth."""
