"""Many levels as files: what a manifest asks for is built, what is there already stays untouched.

    undercroft.toml --manifest--> groups --plan--> a task a level --work, in any process--> bytes
    bytes --store--> files, and a state file that knows them
    blocks of levels --packs--> packs, which the store moves to their places

One process writes; workers only read the manifest's files and hand back bytes.
"""
