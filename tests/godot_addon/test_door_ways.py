"""Doors are cut out of the navigation of scenes when a game starts."""

from __future__ import annotations

import pytest

from tests.godot_addon.conftest import AddonProject


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> AddonProject:
    return AddonProject(tmp_path_factory.mktemp("door-ways"))


@pytest.mark.parametrize("tiles", [0, 1300])
def test_doors_are_cut_out_however_far_from_the_origin(project: AddonProject, tiles: int) -> None:
    assert project.ask("door_ways.gd", str(tiles), "6", "rectangle") == [[154, 10, 28, 28]]


def test_a_radius_with_a_fraction_is_rounded_up(project: AddonProject) -> None:
    assert project.ask("door_ways.gd", "0", "5.5", "rectangle") == [[154, 10, 28, 28]]


def test_a_mesh_that_is_left_uncut_is_reported(project: AddonProject) -> None:
    _, said = project.hear("door_ways.gd", "0", "6", "triangle")
    assert (
        "Navigation: doors cannot close its navigation, which is not made of upright rectangles"
        in "\n".join(said)
    )
