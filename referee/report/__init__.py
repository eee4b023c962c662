"""What is left of a refereed game for people: a page with every ruling, its stills and the players' figures."""
