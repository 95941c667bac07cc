"""ROUGE as the Perl program ROUGE-1.5.5 computes it."""
