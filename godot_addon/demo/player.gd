extends CharacterBody2D
## The player's body: walks, shoots, drops bombs, and can be hurt.

signal died
## It walked against a shut door.
signal bumped(door: Node2D)

const Art := preload("art.gd")
const Belongings := preload("belongings.gd")
const Bomb := preload("bomb.gd")
const Layers := preload("layers.gd")
const Shot := preload("shot.gd")

const SHOT_SPEED := 170.0
const SAFE_SECONDS := 1.0

@export var speed := 85.0

var belongings := Belongings.new()
## The decor layer; tiles that the TileSet marks as hazards hurt.
var decor: TileMapLayer

var _until_shot := 0.0
var _safe := 0.0
var _walked := 0.0

@onready var _picture: Sprite2D = $Picture


func _ready() -> void:
	_picture.texture = Art.icon("player_start")


func _physics_process(delta: float) -> void:
	velocity = Input.get_vector("move_left", "move_right", "move_up", "move_down") * speed
	move_and_slide()
	for i: int in get_slide_collision_count():
		var other := get_slide_collision(i).get_collider() as Node2D
		if other and other.is_in_group("door"):
			bumped.emit(other)
	if _stands_on_hazard():
		take_hit(1)
	_until_shot -= delta
	var aim := _aim()
	if aim and _until_shot <= 0.0:
		_until_shot = 1.0 / belongings.haste
		var shot := Shot.new(aim * SHOT_SPEED, belongings.damage, Layers.FOES)
		shot.position = position + Vector2(0, -2)
		add_sibling(shot)
	if Input.is_action_just_pressed("bomb") and belongings.use_bomb():
		var bomb := Bomb.new()
		bomb.position = position
		add_sibling(bomb)
	_animate(aim, delta)


## Called by anything that hurts; [param amount] is in half hearts.
func take_hit(amount: int) -> void:
	if _safe > 0.0 or belongings.health == 0:
		return
	_safe = SAFE_SECONDS
	belongings.lose_health(amount)
	if belongings.health == 0:
		set_physics_process(false)
		_picture.rotation = PI / 2
		died.emit()


func _stands_on_hazard() -> bool:
	var tile := decor.get_cell_tile_data(decor.local_to_map(position))
	return tile != null and tile.get_custom_data("hazard")


func _aim() -> Vector2:
	if Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT):
		return global_position.direction_to(get_global_mouse_position())
	return Input.get_vector("aim_left", "aim_right", "aim_up", "aim_down").normalized()


func _animate(aim: Vector2, delta: float) -> void:
	_safe -= delta
	_picture.modulate.a = 0.4 if _safe > 0.0 and fmod(_safe, 0.2) > 0.1 else 1.0
	_walked += delta * 12.0 if velocity else -_walked
	_picture.position.y = -4.0 - absf(sin(_walked)) * 2.0
	var look := aim.x if aim else velocity.x
	if look:
		_picture.flip_h = look < 0.0
