"""Speed of each stage on the machine at hand, beside what people would do without it, in one run."""
