/**
 * Draws levels that undercroft-pack.js has built on a canvas, with doors that open.
 *
 *     const drawn = new DrawnLevel(level, picture);
 *     drawn.draw(canvas.getContext("2d"), [player.x, player.y], 3, (brush) => brush.drawImage(...));
 *
 * @param {import("./undercroft-pack.js").PackLevel} level
 * @param {HTMLImageElement} picture the theme's, whose name is in `level.tile_set`
 */
export class DrawnLevel {
  constructor(level, picture) {
    this.level = level;
    this.picture = picture;
    const place = level.layers.findIndex(({ name }) => name === "Overlay");
    this.below = this.canvasOf(level.layers.slice(0, place).filter(({ name }) => name !== "Doors"));
    this.doors = this.canvasOf(level.layers.filter(({ name }) => name === "Doors"));
    this.above = this.canvasOf(level.layers.slice(place));
  }

  /** A canvas with some layers on it; nothing is drawn tile by tile later. */
  canvasOf(layers) {
    const { width, height, tile_size: size } = this.level;
    const canvas = Object.assign(document.createElement("canvas"), { width: width * size, height: height * size });
    const brush = canvas.getContext("2d");
    for (const { tiles } of layers)
      tiles.forEach((tile, at) => tile >= 0 && this.tile(brush, tile, at % width, Math.floor(at / width)));
    return canvas;
  }

  /** Draws a tile of the theme, 65536 * row + column, at a tile of a canvas. */
  tile(brush, tile, x, y) {
    const size = this.level.tile_size;
    brush.drawImage(this.picture, (tile & 0xffff) * size, (tile >> 16) * size, size, size, x * size, y * size, size, size);
  }

  /** Shows a door open or shut. */
  setDoor(door, isOpen) {
    const [brush, size] = [this.doors.getContext("2d"), this.level.tile_size];
    door.cells.forEach(([x, y], at) => {
      const [column, row] = (isOpen ? door.open_tiles : door.shut_tiles)[at];
      brush.clearRect(x * size, y * size, size, size);
      this.tile(brush, 65536 * row + column, x, y);
    });
  }

  /** Fills a canvas with what is around a place in px of the level, so much larger; `bodies` draws what moves. */
  draw(brush, [x, y], scale, bodies = () => {}) {
    const { width, height } = brush.canvas;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, width, height);
    brush.imageSmoothingEnabled = false;
    brush.setTransform(scale, 0, 0, scale, Math.round(width / 2 - x * scale), Math.round(height / 2 - y * scale));
    for (const canvas of [this.below, this.doors]) brush.drawImage(canvas, 0, 0);
    bodies(brush);
    brush.drawImage(this.above, 0, 0);
  }
}
