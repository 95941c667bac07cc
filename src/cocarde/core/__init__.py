"""What all metrics share."""
