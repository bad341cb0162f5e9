"""The tile grid: rooms are carved, doors cut, lights hung."""
