"""What an owner's file must satisfy. The packaged file was checked by the tests, and play never imports this."""
