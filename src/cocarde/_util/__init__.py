"""Small things that every part uses; they know no metric."""
