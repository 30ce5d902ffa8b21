"""Requirements of an owner's file. The packaged file was checked by the tests, and play never imports this."""
