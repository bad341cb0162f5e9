/*
 * Undercroft in Tiled's menu Map: it makes levels, rolls rooms again, checks levels, and carries what you
 * changed in a map to the level and its other files. `undercroft tiled install` puts this file into an
 * extensions folder, and undercroft_room.js beside it, which has the tool Draw Room.
 *
 * It runs the command `undercroft`: the one that the variable UNDERCROFT names, that of the virtual
 * environment `.venv` beside the map or above, which it asks about first, or the one on the PATH.
 */
var undercroft = (function () {
  "use strict";

  const INSTALL = "Undercroft: the command undercroft was not found. Install it (pip install undercroft, or as its" +
    " documentation says), and make sure that it is on the PATH that Tiled was started with.";
  const SUFFIXES = { godot: [".tscn"], ldtk: [".ldtk"], png: [".png"], tiled: [".tmj", ".tmx", ".world"] };
  const PREVIEW = { width: 560, height: 350 }; // px
  const WHY_HEIGHT = 48; // px, of three lines
  const PINNED = {}; // by file of a level, the rooms that stay when the others are rolled

  // --- the command ------------------------------------------------------------------------------------

  function folderOf(path) {
    return path.replace(/[\\/][^\\/]*$/, "");
  }

  const TRUSTED = {}; // by path, whether somebody lets Tiled run that command

  /** The commands of virtual environments that one may run. A folder from elsewhere may hold anything. */
  function venvs(folder) {
    const found = [];
    for (let at = folder, last = ""; at && at !== last; last = at, at = folderOf(at)) {
      found.push(at + "/.venv/bin/undercroft", at + "/.venv/Scripts/undercroft.exe");
    }
    return found.filter(path => File.exists(path)).filter(path => {
      if (!(path in TRUSTED))
        TRUSTED[path] = tiled.confirm("Run this command? It is not the one on the PATH.\n\n" + path, "Undercroft");
      return TRUSTED[path];
    });
  }

  /** Run the command in a folder. Returns its status (-1 if there is none), its events and its messages. */
  function run(folder, words) {
    const process = new Process();
    process.workingDirectory = folder;
    process.codec = "UTF-8";
    const command = process.getEnv("UNDERCROFT") || venvs(folder)[0] || "undercroft";
    process.setEnv("PYTHONUTF8", "1");
    const status = process.exec(command, words.concat(["--json"]), false);
    const said = process.readStdErr().split("\n").filter(Boolean);
    const events = process.readStdOut().split("\n").filter(Boolean).map(asEvent).filter(Boolean);
    process.close();
    if (status === -1)
      tiled.error(INSTALL, () => tiled.alert(INSTALL, "Undercroft"));
    return { status: status, events: events, said: said };
  }

  function asEvent(line) {
    try {
      return JSON.parse(line);
    } catch (error) {
      return null;
    }
  }

  /** Do something with a temporary folder, which is gone afterwards. */
  function withTemporary(work) {
    const process = new Process(), names = ["TMPDIR", "TEMP", "TMP"];
    const parent = names.map(name => process.getEnv(name)).find(Boolean) || "/tmp";
    const folder = parent + "/undercroft-" + Math.random().toString(36).slice(2);
    File.makePath(folder);
    try {
      return work(folder);
    } finally {
      File.remove(folder);
    }
  }

  /** Show the messages about the map of a file as issues, which lead to what they are about. */
  function tell(fileName, lines, isError) {
    for (const line of lines) {
      const show = isError ? tiled.error : tiled.warn;
      show("Undercroft: " + line, () => goTo(fileName, line));
    }
  }

  // --- maps and their objects -------------------------------------------------------------------------

  /** The map that is open, if it is one of a level; else a message says why not. */
  function openMap() {
    const map = tiled.activeAsset;
    if (map && map.isTileMap && map.fileName && map.property("fingerprint") !== undefined)
      return map;
    tiled.warn("Undercroft: open the map of a level first", () => {});
    return null;
  }

  /** The path of a map's level without its ending. Maps of single rooms are in a folder with its name. */
  function stemOf(map) {
    const level = map.property("level");
    const isOfRoom = typeof level === "string" && /^[A-Za-z0-9._-]+$/.test(level) && level !== "..";
    return isOfRoom ? folderOf(folderOf(map.fileName)) + "/" + level : map.fileName.replace(/\.[^.\\/]*$/, "");
  }

  function objectsOf(map) {
    const found = [];
    for (const layer of map.layers) {
      if (layer.isObjectLayer)
        found.push.apply(found, layer.objects);
    }
    return found;
  }

  /** The object or the tile that a message is about: `marker 3`, `room 2`, `door 0`, or `12,34`. */
  function placeOf(map, line) {
    const thing = /\b(room|door|hallway|marker) (\d+)/.exec(line);
    const object = thing && objectsOf(map).find(one => one.property(thing[1] + "_id") === Number(thing[2]));
    if (object)
      return { object: object, x: object.x, y: object.y };
    const tile = /\b(\d+),(\d+)\b/.exec(line);
    return tile && { x: (Number(tile[1]) + 0.5) * map.tileWidth, y: (Number(tile[2]) + 0.5) * map.tileHeight };
  }

  function goTo(fileName, line) {
    const map = tiled.open(fileName);
    const place = placeOf(map, line);
    if (!place)
      return;
    map.selectedObjects = place.object ? [place.object] : [];
    if (tiled.mapEditor.currentMapView)
      tiled.mapEditor.currentMapView.centerOn(place.x, place.y);
  }

  /** The numbers of the rooms that are selected, or in which something is. */
  function selectedRooms(map) {
    const rooms = [];
    for (const object of map.selectedObjects) {
      const room = object.className === "room" ? object : object.property("room") || object.property("room_a");
      const number = room && room.property && room.property("room_id");
      if (typeof number === "number" && rooms.indexOf(number) < 0)
        rooms.push(number);
    }
    if (!rooms.length)
      tiled.warn("Undercroft: select a room, or something in it, first", () => {});
    return rooms;
  }

  /** Read maps again whose files were written. */
  function readAgain(folder) {
    for (const asset of tiled.openAssets.slice()) {
      if (!asset.isTileMap || asset.fileName.indexOf(folder) !== 0)
        continue;
      if (asset.modified)
        tiled.warn("Undercroft: has unsaved changes, so it was not read again: " + asset.fileName, () => {});
      else
        tiled.reload(asset);
    }
  }

  // --- the actions ------------------------------------------------------------------------------------

  let isSaving = false; // a map that is brought home saves it first, which is no second reason to bring it home

  function saved(map) {
    isSaving = true;
    try {
      return !map.modified || map.save();
    } finally {
      isSaving = false;
    }
  }

  // A map that was read again is another object, so what follows a run asks the old one nothing.

  function bringHome(map) {
    if (!saved(map))
      return null;
    const file = map.fileName, folder = folderOf(stemOf(map)), done = run(folder, ["sync", file]);
    const notes = [], problems = [];
    for (const event of done.events) {
      notes.push.apply(notes, event.notes || []);
      problems.push.apply(problems, (event.conflicts || []).concat(event.problems || []));
    }
    tell(file, notes, false);
    tell(file, problems.length || done.status === 0 ? problems : done.said, true);
    // A level that breaks a rule is written, too; only files that contradict each other stay as they are.
    done.isHome = done.status === 0 || done.events.some(event => event.event === "synced")
      && done.events.every(event => !(event.conflicts || []).length);
    if (done.isHome)
      readAgain(folder);
    return done;
  }

  function check(map) {
    const folder = folderOf(stemOf(map)), done = run(folder, ["check", levelOf(map)]);
    const problems = done.events.filter(event => event.event === "problem").map(event => withoutFile(event));
    tell(map.fileName, problems, true);
    if (done.status === 0)
      tiled.log("Undercroft: no problems in " + levelOf(map));
    else if (!problems.length)
      tell(map.fileName, done.said, true);
    return problems;
  }

  function withoutFile(event) {
    return event.problem.replace(event.file + ": ", "");
  }

  function levelOf(map) {
    return stemOf(map) + ".level.json";
  }

  function reroll(map, words) {
    const file = map.fileName, stem = stemOf(map), level = levelOf(map), folder = folderOf(stem);
    if (!File.exists(level)) {
      tell(file, ["rooms are rolled again in " + level + ", which is missing; export the level with --to json, too"], true);
      return null;
    }
    const home = bringHome(map);
    if (!home || !home.isHome)
      return home;
    const done = run(folder, ["reroll", level].concat(words));
    tell(file, done.said, done.status !== 0);
    if (done.status !== 0)
      return done;
    const formats = [];
    for (const format in SUFFIXES) {
      if (SUFFIXES[format].some(suffix => File.exists(stem + suffix)))
        formats.push("--to", format);
    }
    const again = ["export", level, "--edits", "merge", "--out", folder];
    const written = run(folder, again.concat(formats));
    tell(file, written.said, written.status !== 0);
    readAgain(folder);
    return written;
  }

  function undo(map) {
    if (map.modified) {
      tiled.warn("Undercroft: save or revert the map first, then undo", () => {});
      return null;
    }
    const folder = folderOf(stemOf(map)), done = run(folder, ["undo", folder]);
    tell(map.fileName, done.said, done.status !== 0);
    if (done.status === 0)
      readAgain(folder);
    return done;
  }

  function pin(map) {
    const pinned = PINNED[levelOf(map)] = PINNED[levelOf(map)] || [];
    for (const room of selectedRooms(map)) {
      const at = pinned.indexOf(room);
      if (at < 0)
        pinned.push(room);
      else
        pinned.splice(at, 1);
    }
    tiled.log("Undercroft: pinned rooms: " + (pinned.join(", ") || "none"));
    return pinned;
  }

  function rollOthers(map) {
    const words = [];
    for (const room of PINNED[levelOf(map)] || [])
      words.push("--pin", String(room));
    if (!words.length) {
      tiled.warn("Undercroft: pin the rooms that shall stay first", () => {});
      return null;
    }
    return reroll(map, words);
  }

  function rollRooms(map) {
    const words = [];
    for (const room of selectedRooms(map))
      words.push("--room", String(room));
    return words.length ? reroll(map, words) : null;
  }

  /** Make a level in a folder, and open its map. */
  function newLevel(folder, preset, seed) {
    const words = ["generate", preset, "--seed", seed, "--to", "tiled", "--to", "json", "--out", folder];
    const done = run(folder, words);
    if (done.status !== 0) {
      for (const line of done.said)
        tiled.error("Undercroft: " + line, () => {});
      return null;
    }
    const files = [].concat.apply([], done.events.map(event => event.files || []));
    const map = files.find(file => /\.tmj$/.test(file));
    return map ? tiled.open(map) : null;
  }

  /** Make a picture of a level in a temporary folder. Returns null, and tells why, if there is none. */
  function pictureOf(folder, preset, seed, tellWhy) {
    return withTemporary(temporary => {
      const words = ["generate", preset, "--seed", seed, "--to", "png", "--name", "preview", "--out", temporary];
      const done = run(folder, words);
      tellWhy(done.status === 0 ? "" : done.said.join("\n"));
      if (done.status !== 0)
        return null;
      const { width, height } = PREVIEW;
      const picture = new Image(temporary + "/preview.png").scaled(width, height, Image.KeepAspectRatio, Image.SmoothTransformation);
      return picture.copy((picture.width - width) / 2, (picture.height - height) / 2, width, height); // in the middle
    });
  }

  function askForLevel() {
    const here = tiled.activeAsset && tiled.activeAsset.fileName || tiled.projectFilePath || "";
    const folder = here ? folderOf(here) : tiled.promptDirectory("", "The folder for the level");
    if (!folder)
      return;
    const presets = run(folder, ["presets"]).events.map(event => event.name);
    if (!presets.length)
      return;
    const dialog = new Dialog("New level");
    const preset = dialog.addComboBox("Preset", presets);
    const seed = dialog.addTextInput("Seed", "1");
    const blank = new Image(PREVIEW.width, PREVIEW.height, Image.Format_ARGB32);
    blank.fill(0);
    const picture = dialog.addImage("", blank);
    dialog.addNewRow();
    const why = dialog.addLabel(""); // has its place also when empty, so that no button moves away from the mouse
    why.wordWrap = true;
    why.minimumHeight = WHY_HEIGHT;
    why.maximumWidth = PREVIEW.width;
    dialog.addNewRow();
    const another = dialog.addButton("Another Seed"), make = dialog.addButton("Make");
    another.autoDefault = make.autoDefault = false; // Enter in the seed's field shows that seed, and makes nothing
    let shown = "";
    const show = () => {
      const wanted = preset.currentText + " " + seed.text;
      if (wanted === shown)
        return;
      shown = wanted;
      picture.image = pictureOf(folder, preset.currentText, seed.text || "1", line => why.text = line) || blank;
    };
    preset.currentTextChanged.connect(show);
    seed.editingFinished.connect(show);
    another.clicked.connect(() => {
      seed.text = String(/^\d{1,15}$/.test(seed.text) ? Number(seed.text) + 1 : 1);
      show();
    });
    make.clicked.connect(() => {
      dialog.accept();
      newLevel(folder, preset.currentText, seed.text || "1");
    });
    show();
    dialog.show();
  }

  // --- the menu ---------------------------------------------------------------------------------------

  const SETTING = tiled.extensionsPath + "/undercroft.sync-on-save";

  function add(id, text, shortcut, work) {
    const action = tiled.registerAction(id, work);
    action.text = "Undercroft: " + text;
    if (shortcut)
      action.shortcut = shortcut;
    return action;
  }

  function onMap(work) {
    return () => {
      const map = openMap();
      if (map)
        work(map);
    };
  }

  add("UndercroftNew", "New Level...", "Ctrl+Alt+N", askForLevel);
  add("UndercroftRoll", "Re-roll This Room", "Ctrl+Alt+R", onMap(rollRooms));
  add("UndercroftPin", "Pin or Unpin This Room", "Ctrl+Alt+P", onMap(pin));
  add("UndercroftRollOthers", "Re-roll All Rooms but Pinned Ones", "", onMap(rollOthers));
  add("UndercroftCheck", "Check", "Ctrl+Alt+K", onMap(check));
  add("UndercroftHome", "Bring Home", "Ctrl+Alt+B", onMap(bringHome));
  add("UndercroftUndo", "Undo the Last Write", "Ctrl+Alt+Z", onMap(undo));
  const onSave = add("UndercroftOnSave", "Bring Home on Save", "", action => {
    File.makePath(tiled.extensionsPath); // which may be missing where only a project has extensions
    if (action.checked)
      new TextFile(SETTING, TextFile.WriteOnly).commit();
    else
      File.remove(SETTING);
  });
  onSave.checkable = true;
  onSave.checked = File.exists(SETTING);

  tiled.assetSaved.connect(asset => {
    if (onSave.checked && !isSaving && asset.isTileMap && asset.property("fingerprint") !== undefined)
      bringHome(asset);
  });
  tiled.extendMenu("Map", [
    { separator: true },
    { action: "UndercroftNew" },
    { action: "UndercroftRoll" },
    { action: "UndercroftPin" },
    { action: "UndercroftRollOthers" },
    { action: "UndercroftCheck" },
    { action: "UndercroftHome" },
    { action: "UndercroftUndo" },
    { action: "UndercroftOnSave" },
  ]);

  return { add, bringHome, check, folderOf, newLevel, onMap, openMap, pin, placeOf, rollRooms, run, tell, undo, withTemporary };
})();
