"""Undercroft Studio: a page in the browser that makes levels, served by this machine to itself alone.

    browser  --HTTP on 127.0.0.1-->  guard (who asks?)  -->  app (what is asked?)  -->  desk (the newest wins)
                                                                                          |
                                               worker processes: levels, files, the project  <--+

The server keeps nothing of a level: a request says all that one is made from, so a server that was stopped
loses nothing. Whatever reads the project or makes a level runs in a worker process, in the project's folder.
"""
