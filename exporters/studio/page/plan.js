// A floorplan in the frame of the level that it becomes: outlines of its rooms, and the paths between them, in tiles.

const MARGIN = 2; // tiles of void round a level

/** What `overlayOf` draws, of a floorplan as the server tells it. `pitch` is a room's width and height in tiles. */
export function drawnPlan(plan, pitch) {
  if (plan.unit === "cells") return ofCells(plan, pitch);
  if (plan.unit === "tiles") return ofTiles(plan);
  const { size } = plan.places;
  return { size: [Math.max(size[0], 1), Math.max(size[1], 1)], rooms: [], paths: [], gates: [], places: plan.places };
}

const middleOf = (cells) => {
  const middle = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length);
  const apart = (cell) => (cell[0] - middle[0]) ** 2 + (cell[1] - middle[1]) ** 2;
  return cells.reduce((best, cell) => apart(cell) < apart(best) ? cell : best);
};

function ofCells(plan, [wide, high]) {
  const all = plan.rooms.flatMap((room) => room.cells);
  const least = [0, 1].map((axis) => Math.min(...all.map((cell) => cell[axis])));
  const most = [0, 1].map((axis) => Math.max(...all.map((cell) => cell[axis])) + 1);
  const place = (x, y) => [MARGIN + (x - least[0]) * wide, MARGIN + (y - least[1]) * high];
  const rooms = plan.rooms.map((room) => {
    const [x, y] = middleOf(room.cells);
    return { ...room, at: place(x + 0.5, y + 0.5), rings: outlines(room.cells).map((ring) => ring.flatMap(([cx, cy]) => place(cx, cy))) };
  });
  const paths = plan.doors.map(({ rooms: [a, b], cell: [x, y], side, starts_shut: startsShut }) => {
    const [right, down] = side === "east" ? [1, 0.5] : [0.5, 1]; // no door has another side in a plan
    return [startsShut, ...rooms[a].at, ...place(x + right, y + down), ...rooms[b].at];
  });
  const size = [(most[0] - least[0]) * wide + 2 * MARGIN, (most[1] - least[1]) * high + 2 * MARGIN];
  return { size, rooms, paths, gates: [] };
}

/** The rings round some cells: the edges that no two of them share, joined end to end. */
function outlines(cells) {
  const edges = new Map(); // from corner to corner, clockwise
  const name = (x, y) => `${x},${y}`;
  for (const [x, y] of cells) {
    for (const [x0, y0, x1, y1] of [[x, y, x + 1, y], [x + 1, y, x + 1, y + 1], [x + 1, y + 1, x, y + 1], [x, y + 1, x, y]]) {
      const [there, back] = [`${name(x0, y0)} ${name(x1, y1)}`, `${name(x1, y1)} ${name(x0, y0)}`];
      if (!edges.delete(back)) edges.set(there, [[x0, y0], [x1, y1]]);
    }
  }
  const rings = [];
  while (edges.size) {
    const [key, [start, second]] = edges.entries().next().value;
    edges.delete(key);
    const ring = [start];
    for (let at = second; at && name(...at) !== name(...start);) {
      ring.push(at);
      const from = `${name(...at)} `;
      const next = [...edges.keys()].find((edge) => edge.startsWith(from));
      at = next && edges.get(next)[1];
      edges.delete(next);
    }
    rings.push(ring);
  }
  return rings;
}

function ofTiles(plan) { // in the level's own frame already
  const rooms = plan.rooms.map((room) => {
    const [x, y, w, h] = room.bounds;
    return { ...room, at: [x + w / 2, y + h / 2], rings: [[x, y, x + w, y, x + w, y + h, x, y + h]] };
  });
  const paths = plan.hallways.map(({ rooms: [a, b], doors, path, starts_shut: startsShut }) => {
    const half = doors[0].length / 2; // a path is where the top left tile of a square as wide as the hallway goes
    const turns = path.filter((tile, i) => i === 0 || i === path.length - 1
      || (path[i - 1][0] !== path[i + 1][0] && path[i - 1][1] !== path[i + 1][1]));
    return [startsShut, ...rooms[a].at, ...turns.flatMap(([x, y]) => [x + half, y + half]), ...rooms[b].at];
  });
  return { size: plan.extent, rooms, paths, gates: [] };
}
