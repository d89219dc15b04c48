"""The texts and JSON objects that other programs exchange with Boardsight."""
