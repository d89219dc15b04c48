"""Where players learn: environments, methods, runs that can be resumed, and the measuring of what was learned."""
