"""The laboratory: benches, the generator of test pictures, trainers of the finder, hostile series; not in the wheel."""
