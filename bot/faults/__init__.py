"""Screens that go wrong on purpose: fault plans, and the drawn screen under one."""
