"""Knowledge of hidden things by seat, and their new deal in a fork."""
