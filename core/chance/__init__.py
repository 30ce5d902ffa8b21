"""Sources of dice and draws, and the seeds behind them."""
