"""System blocks: the ratified map of the repository (seed 001, BLOCKS.md). Pure; reads no file and no clock."""
