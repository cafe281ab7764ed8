"""The commands: each module is one, and has SUMMARY, add_options and run."""
