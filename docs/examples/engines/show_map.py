"""A level in pygame: `undercroft generate isaac --seed 7 --to tiled --option tiled.format=tmx --out .`"""

import pygame
from pytmx.util_pygame import load_pygame

pygame.init()
screen = pygame.display.set_mode((1024, 640))
level = load_pygame("isaac-7.tmx")
for name in ("Ground", "Walls", "Doors", "Decor", "Overlay"):
    for x, y, image in level.get_layer_by_name(name).tiles():
        screen.blit(image, (x * level.tilewidth, y * level.tileheight))
pygame.display.flip()
pygame.image.save(screen, "shown.png")
for marker in level.get_layer_by_name("Markers"):
    print(marker.type, marker.x, marker.y, marker.properties["marker_id"])
