"""Kernels: hot loops whose one source runs interpreted, or compiled by numba for many seeds at once.

A *kernel module* has a name that ends in `kernel`. All its functions are plain top-level functions on whole
numbers and on buffers of numbers (`bytearray`, `array`, `memoryview`); a buffer that a function needs as
scratch space is passed in. `loader.bulk` returns such a module compiled, or the module itself.

Rules for a kernel module, so that both forms give the same:

- Numbers stay within 63 bits and a sign. Only `primitives` makes and splits words of 64 bits, and has what is
  faster over a whole buffer at once.
- Buffers hold zeros where nothing was written, and no index leaves them: compiled code does not check.
- Constants are whole numbers, `bytes`, and tuples of them; lists are made inside, of whole numbers.
- A name keeps its type; a function returns the same types everywhere.
- No objects but named tuples of buffers, no dictionaries, no default values, no exceptions: results are
  numbers, or are written to buffers.
"""
