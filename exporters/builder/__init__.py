"""Build all levels that a manifest lists. Files that are up to date stay untouched.

    undercroft.toml --manifest--> groups --plan--> one task for each level --work, in any process--> bytes
    bytes --store--> files, and a state file that knows them
    blocks of levels --packs--> packs, which the store moves into place

One process writes; workers only read the manifest's files and return bytes.
"""
