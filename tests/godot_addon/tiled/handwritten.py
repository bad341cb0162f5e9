"""Files that are written by hand: a map and a template in XML, a scene, scripts that an import calls."""

from __future__ import annotations

# A map by hand: Tiled wrote lists and capsules only after the version that the tests run.
XML = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
 <objectgroup id="1" name="Objects">
  <object id="1" name="Pill" x="10" y="20" width="8" height="30"><capsule/></object>
  <object id="2" name="Lists">
   <properties>
    <property name="list" type="list">
     <item type="int" value="10"/>
     <item value="ten"/>
     <item type="color" value="#ff00ff00"/>
     <item type="object" value="1"/>
     <item type="class" propertytype="Loot">
      <properties><property name="coins" type="int" value="1"/></properties>
     </item>
     <item type="list"><item type="bool" value="true"/></item>
    </property>
   </properties>
   <point/>
  </object>
  <object id="3" template="crate.tx" x="40" y="60"/>
 </objectgroup>
</map>
"""
CRATE = """<?xml version="1.0" encoding="UTF-8"?>
<template>
 <tileset firstgid="1" source="kinds.tsj"/>
 <object name="Crate" type="Chest" gid="{gid}" width="32" height="16">
  <properties><property name="from" value="template"/></properties>
 </object>
</template>
"""
SPAWNER = """[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://spawner.gd" id="1"]

[node name="Spawner" type="Node2D" groups=["own"]]
script = ExtResource("1")

[node name="Inside" type="Node2D" parent="."]
"""
SPAWNER_SCRIPT = """extends Node2D

@export var count := 1
@export var title := "none"
@export var tint := Color.WHITE
@export var friend: NodePath
@export var loot: Dictionary
@export var doors: PackedStringArray
@export var anything: float = 0.5
var secret := 1
"""
# What a project's own script may do; those of `FAILING` give one line each.
WRAPS = """@tool
extends RefCounted


func post_import(root: Node) -> Node:
	var made := Node2D.new()
	made.name = "Wrapped"
	made.set_meta("was", str(root.name))
	made.add_child(root)
	return made
"""
PICKS = """@tool
extends RefCounted


func post_import(root: Node) -> Node:
	return root.get_node("Objects")
"""
FAILING = {
    "no_such_file": "",
    "no_function": "@tool\nextends RefCounted\n",
    "no_tool": "extends RefCounted\n\n\nfunc post_import(root: Node) -> Node:\n\treturn root\n",
    "no_node": "@tool\nextends RefCounted\n\n\nfunc post_import(_root: Node) -> Node:\n\treturn null\n",
    "freed": "@tool\nextends RefCounted\n\n\nfunc post_import(root: Node) -> Node:\n\troot.free()\n\treturn null\n",
}
