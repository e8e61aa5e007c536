return current()
