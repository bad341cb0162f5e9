"""Kernels: hot loops in one source that runs interpreted, and compiled by numba for many seeds at once.

A *kernel module* has a name that ends in `kernel`. All its functions are plain top-level functions on whole
numbers and on buffers of numbers (`bytearray`, `array`, `memoryview`); a buffer that a function needs as
scratch space is passed in. `loader.bulk` gives such a module compiled, or the module itself.

What a kernel module must keep to, so that both forms are the same:

- Numbers stay within 63 bits and a sign. Words of 64 bits are made and taken apart in `words` alone; what is
  quicker over a whole buffer at once is in `buffers`.
- Buffers hold zeros where nothing was written, and no index leaves them: compiled, nobody looks.
- Constants are whole numbers, `bytes`, and tuples of them; lists are made inside, of whole numbers.
- What a name is bound to keeps its type; a function gives the same types on all ways out.
- No objects but named tuples of buffers, no dictionaries, no default values, no exceptions: results are
  numbers, or lie in buffers.
"""
