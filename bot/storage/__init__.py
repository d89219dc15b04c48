"""What stands on the disk: files read with a bound and written whole, pictures, calibrations."""
