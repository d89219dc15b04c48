"""The commands of `boardsight`."""
