"""Parameters of metrics fitted to human judgements."""
