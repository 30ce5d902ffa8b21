"""Parts of all stores that lie on other machines."""
