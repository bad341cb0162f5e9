extends RefCounted
## Bits of collision layers. The first three are the levels' own: what stops walkers, flyers and
## shots.

const WALKERS := 1
const FLYERS := 2
const SHOTS := 4
const PLAYER := 8
const FOES := 16
