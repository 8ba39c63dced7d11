"""What helps to test things that are built on this package."""
