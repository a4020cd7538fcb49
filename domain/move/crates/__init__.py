"""What holds between two crates of one workspace, and what may be published for it (frontier 2c)."""
