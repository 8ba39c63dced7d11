"""Views: events and states for people and programs."""
