"""What `boardsight` can be told to do: one module a command, with ``add_arguments(parser)`` and ``run(args)``."""
