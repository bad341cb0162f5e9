/** What one sees of a played level: the canvas with its tiles, bodies, light and map. */
class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.brush = canvas.getContext("2d");
    this.shade = document.createElement("canvas");
    this.isMapLarge = false;
  }

  /** Shows another level, with the picture of its theme. */
  show(game, picture) {
    this.game = game;
    this.drawn = new DrawnLevel(game.level, picture);
    for (const door of game.level.doors) this.drawn.setDoor(door, game.open.has(door));
    this.lights = game.level.markers.filter(({ kind }) => kind === "torch" || kind === "fire");
  }

  /** Shows no level, but why. */
  blank(why) {
    this.fit();
    const { brush, canvas } = this;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, canvas.width, canvas.height);
    Object.assign(brush, { font: `${this.scale * 8}px sans-serif`, textAlign: "center", fillStyle: "#a9a2b8" });
    brush.fillText(why, canvas.width / 2, canvas.height / 2, canvas.width * 0.9);
  }

  /** Makes the canvas as sharp as the screen, with as many tiles as fit. */
  fit() {
    const box = this.canvas.getBoundingClientRect();
    const sharp = Math.min(devicePixelRatio || 1, 3);
    const [width, height] = [Math.round(box.width * sharp), Math.round(box.height * sharp)];
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const tiles = box.width < 500 ? 13 : 23;
    this.scale = Math.max(1, Math.round(width / (tiles * 16)));
  }

  /** The tile under a place of the window. */
  tileAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const size = this.scale * this.game.level.tile_size;
    const at = (client, start, length, pixels, middle) =>
      Math.floor((((client - start) / length - 0.5) * pixels) / size + middle);
    return [at(clientX, box.left, box.width, this.canvas.width, this.middle[0]),
            at(clientY, box.top, box.height, this.canvas.height, this.middle[1])];
  }

  /** Draws everything. The player is at x, y, in tiles, perhaps between two; `time` in ms moves what flickers. */
  draw([x, y], time) {
    const { level, markers } = this.game;
    const size = level.tile_size;
    this.fit();
    this.middle = [this.seenFrom(x + 0.5, this.canvas.width, level.width), this.seenFrom(y + 0.5, this.canvas.height, level.height)];
    const [left, top] = this.middle.map((tiles) => tiles * size);
    this.drawn.draw(this.brush, [left, top], this.scale, (brush) => {
      for (const marker of markers.values()) {
        if (!this.isNear(marker, x, y)) continue;
        const lift = time && (marker.kind === "enemy" || marker.kind === "boss") ? Math.sin(time / 250 + marker.id) : 0;
        this.icon(brush, marker, marker.x * size, marker.y * size - Math.max(0, Math.round(lift)));
      }
      this.icon(brush, { kind: "player_start", properties: {} }, x * size, y * size);
    });
    this.light([left, top], [(x + 0.5) * size, (y + 0.5) * size], time);
    this.map(x, y);
  }

  /** The place, in tiles, that the middle of the canvas shows: the player's, but no more void than there must be. */
  seenFrom(place, pixels, tiles) {
    const half = pixels / this.scale / this.game.level.tile_size / 2;
    return half * 2 > tiles ? tiles / 2 : Math.min(Math.max(place, half), tiles - half);
  }

  isNear(marker, x, y) {
    const reach = this.canvas.width / this.scale / this.game.level.tile_size;
    return Math.abs(marker.x - x) < reach && Math.abs(marker.y - y) < reach;
  }

  icon(brush, { kind, properties: { name, role, tier, item } }, x, y) {
    const own = [name, tier, item, role].map((word) => ICONS[`${kind}_${word}`]);
    const tile = own.find((found) => found !== undefined) ?? ICONS[kind];
    if (tile === undefined) return;
    const size = this.game.level.tile_size;
    brush.drawImage(this.drawn.picture, (tile & 0xffff) * size, (tile >> 16) * size, size, size, x, y, size, size);
  }

  /** It is dark but for the player and the fires. */
  light([x, y], [playerX, playerY], time) {
    const { canvas, shade, scale } = this;
    const size = this.game.level.tile_size;
    const [width, height] = [Math.ceil(canvas.width / scale), Math.ceil(canvas.height / scale)];
    if (shade.width !== width || shade.height !== height) Object.assign(shade, { width, height });
    const brush = shade.getContext("2d");
    brush.globalCompositeOperation = "copy";
    brush.fillStyle = "rgba(9, 7, 20, 0.55)";
    brush.fillRect(0, 0, width, height);
    brush.globalCompositeOperation = "destination-out";
    const glow = (left, top, radius, strength) => {
      const shine = brush.createRadialGradient(left, top, 0, left, top, radius);
      shine.addColorStop(0, `rgba(0, 0, 0, ${strength})`);
      shine.addColorStop(0.5, `rgba(0, 0, 0, ${strength * 0.6})`);
      shine.addColorStop(1, "rgba(0, 0, 0, 0)");
      brush.fillStyle = shine;
      brush.fillRect(left - radius, top - radius, 2 * radius, 2 * radius);
    };
    glow(playerX - x + width / 2, playerY - y + height / 2, 7 * size, 1);
    for (const { x: column, y: row, id } of this.lights) {
      const [left, top] = [(column + 0.5) * size - x + width / 2, (row + 0.5) * size - y + height / 2];
      const radius = 5 * size + (time ? Math.sin(time / 170 + id) + Math.sin(time / 70 + 3 * id) : 0);
      if (left > -radius && left < width + radius && top > -radius && top < height + radius) glow(left, top, radius, 0.8);
    }
    this.brush.setTransform(scale, 0, 0, scale, (canvas.width - width * scale) / 2, (canvas.height - height * scale) / 2);
    this.brush.imageSmoothingEnabled = true;
    this.brush.drawImage(shade, 0, 0);
  }

  /** Rooms that were seen, those that can be guessed beside them, and the player. */
  map(x, y) {
    const { brush, canvas, game, isMapLarge } = this;
    const { level, seen } = game;
    const edge = Math.round(canvas.width / 60);
    const [most, high] = isMapLarge ? [canvas.width - 4 * edge, canvas.height - 4 * edge] : [canvas.width * 0.24, canvas.height * 0.3];
    const side = Math.min(most / level.width, high / level.height);
    const [width, height] = [level.width * side, level.height * side];
    const left = isMapLarge ? (canvas.width - width) / 2 : canvas.width - width - edge;
    const top = isMapLarge ? (canvas.height - height) / 2 : edge;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.fillStyle = isMapLarge ? "rgba(9, 7, 20, 0.9)" : "rgba(9, 7, 20, 0.72)";
    if (isMapLarge) brush.fillRect(0, 0, canvas.width, canvas.height);
    else brush.fillRect(left - edge / 2, top - edge / 2, width + edge, height + edge);
    brush.setTransform(side, 0, 0, side, left, top);
    const beside = new Set();
    for (const door of level.doors) {
      const ends = this.ends(door);
      if (!door.secret && ends.some((room) => seen.has(room))) {
        ends.forEach((room) => beside.add(room));
        brush.fillStyle = "#6b6480";
        for (const [column, row] of game.hallway(door)?.cells ?? []) brush.fillRect(column, row, 1, 1);
      }
    }
    const isHere = (room) => Number(room === game.room); // drawn last, or its neighbours would cover its outline
    for (const room of [...level.rooms].sort((a, b) => isHere(a) - isHere(b))) {
      if (!seen.has(room) && !beside.has(room)) continue;
      const shape = new Path2D();
      for (const ring of room.outline) ring.forEach(([column, row], i) => (i ? shape.lineTo(column, row) : shape.moveTo(column, row)));
      shape.closePath();
      brush.fillStyle = seen.has(room) ? COLOURS[room.kind] ?? "#a9a2b8" : "#3c3650";
      brush.fill(shape);
      brush.lineWidth = 0.8;
      brush.strokeStyle = isHere(room) ? "#ffffff" : "#14101f";
      brush.stroke(shape);
    }
    for (const door of level.doors) {
      if (door.secret ? !game.open.has(door) : !this.ends(door).some((room) => seen.has(room))) continue;
      brush.fillStyle = game.open.has(door) ? "#14101f" : "#ffd24a";
      for (const [column, row] of door.cells) brush.fillRect(column, row, 1, 1);
    }
    brush.fillStyle = "#ffffff";
    brush.beginPath();
    brush.arc(x + 0.5, y + 0.5, Math.max(1.3, 3 / side), 0, 7);
    brush.fill();
  }

  /** The rooms that a door joins, through a hallway too. */
  ends(door) {
    const hallway = this.game.hallway(door);
    return (hallway?.rooms ?? door.rooms).map((id) => this.game.level.rooms[id]);
  }
}

const COLOURS = {
  start: "#7fb46a", boss: "#d0524a", treasure: "#e0b040", shop: "#58a6c8", secret: "#9a7bd0", super_secret: "#9a7bd0",
  curse: "#b05a86", chest: "#e0b040", sacrifice: "#b05a86", library: "#58a6c8", arcade: "#58a6c8",
};
