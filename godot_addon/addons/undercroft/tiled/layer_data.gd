extends RefCounted
## The tiles of a layer as numbers, in any encoding and compression.
##
## [codeblock]
## "data":[0,0,17,...]                                      numbers, in JSON
## "encoding":"csv",    "data":"0,0,17,..."                 text, in XML
## "encoding":"base64", "compression":"zlib", "data":"eJ…"  u32, little endian
## [/codeblock]

const Fields := preload("../import/fields.gd")

## The most tiles of a layer or chunk: 2^26 take 256 MB.
const MAX_TILES := 1 << 26

const _MODES := {
	"zlib": FileAccess.COMPRESSION_DEFLATE,
	"gzip": FileAccess.COMPRESSION_GZIP,
	"zstd": FileAccess.COMPRESSION_ZSTD,
}
const _LARGEST := 4294967295.0


## The [param count] gids of [param part], a layer or one of its chunks, row by row. The numbers are
## as in the file, with the flip bits, as signed 32-bit integers. If the file has fewer, that is a
## flaw.
static func gids(part: Fields, layer: Fields, count: int) -> PackedInt32Array:
	var value: Variant = part.table.get("data")
	var encoding := layer.text("encoding", "csv")
	if count > MAX_TILES:
		part.bad("data", "has more than %d tiles" % MAX_TILES)
		return PackedInt32Array()
	var found: PackedInt32Array
	var is_text := value is String and (part.lifted == null or part.lifted.piece(value).is_empty())
	if encoding == "base64":
		found = _unpacked(part, layer, count)
	elif is_text:
		found = _from_text(part, str(value))
	elif part.lifted:
		found = _from_numbers(part, part.all_numbers("data"))
	elif value is PackedFloat64Array:
		var given: PackedFloat64Array = value
		found = _from_numbers(part, given)
	elif value is Array:
		var items: Array = value
		found = _from_numbers(part, PackedFloat64Array(items))
	else:
		part.bad("data", "is missing")
	if found.size() != count:
		part.bad("data", "has %d tiles where width times height is %d" % [found.size(), count])
	return found.slice(0, count)


static func _from_text(part: Fields, text: String) -> PackedInt32Array:
	var foreign := RegEx.create_from_string(r"[^0-9,\s]").search(text)
	if foreign:
		part.bad("data", "%s is not a number" % Fields.shown(foreign.get_string()))
	return _from_numbers(part, text.split_floats(","))


static func _from_numbers(part: Fields, numbers: PackedFloat64Array) -> PackedInt32Array:
	var found := PackedInt32Array()
	found.resize(numbers.size())
	for index: int in numbers.size():
		var number := numbers[index]
		if number >= 0.0 and number <= _LARGEST:
			found[index] = int(number)
		else:
			part.bad("data", "%s is not a gid" % number)
	return found


static func _unpacked(part: Fields, layer: Fields, count: int) -> PackedInt32Array:
	var text := RegEx.create_from_string(r"\s+").sub(part.text("data", ""), "", true)
	var whole := text.length() % 4 == 0
	var foreign := RegEx.create_from_string("[^A-Za-z0-9+/]").search(
		text.trim_suffix("=").trim_suffix("=")
	)
	if not whole or foreign:
		part.bad("data", "is not base64")
		return PackedInt32Array()
	var packed := Marshalls.base64_to_raw(text) if text else PackedByteArray()
	var compression := layer.text("compression", "")
	if compression and not _MODES.has(compression):
		layer.bad("compression", "%s is not one of zlib, gzip, zstd" % Fields.shown(compression))
		return PackedInt32Array()
	if compression and packed and count:
		if not _begins_well(packed, compression):
			part.bad("data", "is not compressed with %s" % compression)
			return PackedInt32Array()
		var mode: FileAccess.CompressionMode = _MODES[compression]
		packed = packed.decompress(count * 4, mode)
	return packed.slice(0, packed.size() & ~3).to_int32_array()


## Whether data begins with the right magic bytes; otherwise Godot would print its own error.
static func _begins_well(packed: PackedByteArray, compression: String) -> bool:
	match compression:
		"zlib":
			return (
				packed.size() > 6
				and packed[0] & 0xF == 8
				and (packed[0] * 256 + packed[1]) % 31 == 0
			)
		"gzip":
			return packed.size() > 18 and packed.decode_u16(0) == 0x8B1F and packed[2] == 8
	return packed.size() > 8 and packed.decode_u32(0) == 0xFD2FB528
