"""What `boardsight` can be told to do: one module a command, with ``add_parser(subparsers)`` and ``run(args)``."""
