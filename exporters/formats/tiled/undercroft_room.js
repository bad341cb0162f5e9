/*
 * Undercroft's tool Draw Room, beside Tiled's own tools. It builds on undercroft.js: Tiled runs the scripts of
 * a folder in the order of their names, and they share their global variables.
 */
(function () {
  "use strict";

  const { add, folderOf, onMap, openMap, run, tell, withTemporary } = undercroft;

  let kindOfRoom = "normal"; // that the tool draws next

  /** Ask the command about a map as it is, also if it has changes that are not saved. */
  function runOnMap(map, words) {
    return withTemporary(temporary => {
      const name = /[^\\/]*$/.exec(map.fileName)[0], copy = temporary + "/" + name;
      tiled.mapFormat(/\.tmx$/i.test(name) ? "tmx" : "json").write(map, copy);
      return run(folderOf(map.fileName), ["tiled", "room", map.fileName, "--shown", copy].concat(words));
    });
  }

  /** Draw a room and its doors, as one step of Undo. `area` has the room's tiles, walls included. */
  function drawRoom(map, area, kind) {
    const file = map.fileName;
    const done = runOnMap(map, ["--kind", kind, "--at", [area.x, area.y, area.width, area.height].join(",")]);
    const made = done.events.find(event => event.event === "room");
    if (!made) {
      tell(file, done.said, true);
      return null;
    }
    const tileset = map.tilesets.find(one => one.name === made.tileset);
    const layers = names => names.map(name => map.layers.find(one => one.name.toLowerCase() === name.toLowerCase()));
    const missing = Object.keys(made.layers).concat("Rooms", "DoorObjects").find(name => !layers([name])[0]);
    if (!tileset || missing) {
      tell(file, ["no room is drawn: the map has no " + (tileset ? "layer " + missing : "tileset " + made.tileset)], true);
      return null;
    }
    const [rooms, doors] = layers(["Rooms", "DoorObjects"]);
    map.macro("Draw Room", () => {
      for (const name in made.layers) {
        const edit = layers([name])[0].edit();
        for (const [x, y, tile] of made.layers[name])
          edit.setTile(x, y, tile === null ? null : tileset.tile(tile));
        edit.apply();
      }
      addObject(map, rooms, "room", made.kind, made.tiles);
      for (const door of made.doors)
        addObject(map, doors, "door", door.kind, door.tiles);
    });
    const newest = rooms.objects.reduce((one, other) => one.id > other.id ? one : other);
    map.selectedObjects = [newest]; // the one that was made is not the map's: that is a copy
    tell(file, made.problems, false);
    return made;
  }

  function addObject(map, layer, className, kind, [x, y, width, height]) {
    const object = new MapObject(MapObject.Rectangle);
    object.className = className;
    [object.x, object.y] = [x * map.tileWidth, y * map.tileHeight];
    [object.width, object.height] = [width * map.tileWidth, height * map.tileHeight];
    object.setProperty("kind", kind);
    layer.addObject(object);
  }

  function askForKind(map) {
    const done = runOnMap(map, []), listed = done.events.find(event => event.event === "kinds");
    if (!listed) {
      tell(map.fileName, done.said, true);
      return;
    }
    const dialog = new Dialog("Kind of room");
    const kinds = dialog.addComboBox("Kind", listed.kinds);
    kinds.currentIndex = Math.max(0, listed.kinds.indexOf(kindOfRoom));
    dialog.addNewRow();
    dialog.addButton("Draw This Kind").clicked.connect(() => dialog.accept());
    dialog.accepted.connect(() => chooseKind(kinds.currentText));
    dialog.show();
  }

  function chooseKind(kind) {
    kindOfRoom = kind;
    kindAction.text = "Undercroft: Kind of Drawn Rooms (" + kind + ")...";
  }

  /** The tiles from one to another, both included. */
  function between(one, other) {
    const x = Math.min(one.x, other.x), y = Math.min(one.y, other.y);
    return { x: x, y: y, width: Math.abs(one.x - other.x) + 1, height: Math.abs(one.y - other.y) + 1 };
  }

  /** A map with a rectangle of a tile, which Tiled shows under the mouse. */
  function shownArea(map, area, tile) {
    const shown = new TileMap(), layer = new TileLayer();
    shown.setTileSize(map.tileWidth, map.tileHeight);
    shown.setSize(map.width, map.height);
    const edit = layer.edit();
    for (let y = area.y; y < area.y + area.height; ++y) {
      for (let x = area.x; x < area.x + area.width; ++x)
        edit.setTile(x, y, tile);
    }
    edit.apply();
    shown.addLayer(layer);
    return shown;
  }

  const DRAW_ROOM = {
    name: "Undercroft: Draw Room",
    toolBarActions: ["UndercroftKind"],
    mousePressed: function (button) {
      const map = button === Qt.LeftButton && openMap();
      this.from = map ? { x: this.tilePosition.x, y: this.tilePosition.y } : null; // the value itself goes on changing
      const ground = map && map.layers.find(one => one.name === "Ground");
      if (ground)
        map.currentLayer = ground; // Tiled shows what a tool is about to paint on layers of tiles only
      this.show();
    },
    tilePositionChanged: function () {
      this.show();
    },
    mouseReleased: function (button) {
      if (!this.from || button !== Qt.LeftButton)
        return;
      const area = between(this.from, this.tilePosition);
      this.from = null;
      this.show();
      drawRoom(this.map, area, kindOfRoom);
    },
    deactivated: function () {
      this.from = null;
    },
    updateStatusInfo: function () {
      const area = this.from && between(this.from, this.tilePosition);
      this.statusInfo = area ? area.width + " x " + area.height + " tiles, walls included" : "Drag a " + kindOfRoom + " room";
    },
    show: function () {
      const tile = this.from && this.map.tilesets[0].tiles.find(one => one.className === "wall");
      this.preview = tile ? shownArea(this.map, between(this.from, this.tilePosition), tile) : new TileMap();
      this.updateStatusInfo();
    },
  };

  const kindAction = add("UndercroftKind", "", "", onMap(askForKind));
  chooseKind(kindOfRoom);
  tiled.registerTool("UndercroftRoom", DRAW_ROOM);
  tiled.extendMenu("Map", [{ action: "UndercroftKind", before: "UndercroftCheck" }]);
  undercroft.drawRoom = drawRoom;
})();
