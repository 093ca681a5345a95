"""The plan of the paper's example, plain and as its old man, number by number."""

from __future__ import annotations

import pytest

from mummer.script import Plan, Rehearsal
from mummer.script.plan import Element

NECK = ("neck twist", "head twist")


@pytest.fixture(scope="module")
def plans() -> tuple[Plan, Plan]:
    """The example, plainly and as the old man."""
    take = Rehearsal.of_script("reach_inspect_show", "zoo:adult")
    return take.plan, take.sketch("old_man").plan


def elements(plan: Plan, action: str) -> dict[str, Element]:
    return {dof: element for dof, element in plan.of_action(action) if dof in plan.dofs.columns}


@pytest.mark.parametrize(("action", "way", "hold"), [("reach", 1.1, 0.2), ("inspect", 0.9, 0.6), ("show", 1.0, 0.8)])
def test_ways_take_1_8_times_as_long_and_holds_3_times(
    plans: tuple[Plan, Plan], action: str, way: float, hold: float
) -> None:
    for plan, slower, longer in zip(plans, (1.0, 1.8), (1.0, 3.0), strict=True):
        for element in elements(plan, action).values():
            assert element.duration == pytest.approx(way * slower)
            assert element.hold == pytest.approx(hold * longer)
    assert plans[0].duration == pytest.approx(3.0 + 1.6)


def test_starts_follow_one_another_a_hundredth_of_a_second_a_joint_outward_from_the_spine(
    plans: tuple[Plan, Plan],
) -> None:
    plain, old = (elements(plan, "reach") for plan in plans)
    depths = {dof: int(plans[0].dofs.depths[plans[0].dofs.columns[dof][0]]) for dof in plain}
    assert {element.start for element in plain.values()} == {0.0}
    free = {dof: element for dof, element in old.items() if dof in plain and not element.fixed}
    first = min(element.start - 0.01 * depths[dof] for dof, element in free.items())
    for dof, element in free.items():
        assert element.start == pytest.approx(first + 0.01 * depths[dof])
    assert len({round(element.start, 6) for element in free.values()}) >= 4


def test_the_neck_turns_half_as_far_the_arm_goes_four_fifths_and_ways_are_flatter(plans: tuple[Plan, Plan]) -> None:
    plain, old = (elements(plan, "show") for plan in plans)
    turned = [dof for dof in NECK if dof in plain and abs(plain[dof].value) > 0.01]
    for dof in turned:
        if dof.startswith("neck"):
            assert old[dof].value == pytest.approx(0.5 * plain[dof].value)
    assert {element.curve for element in plain.values()} == {(0.0, 1.0, 1.0, 0.0)}
    free = [element for element in old.values() if not element.fixed]
    assert {element.curve for element in free} == {(0.0, 0.5, 0.5, 0.0)}


def test_a_pose_without_a_place_to_reach_is_four_fifths_as_wide() -> None:
    from mummer.script import script_from_text

    text = """
    action lift
      pose
        SetDOFValue {left_upper_arm sway} ABS 1.0
        SetDOFValue {neck twist} ABS 0.6
        SetDuration ABS 1.1
    track arm
      do lift
    """
    take = Rehearsal.of_script(script_from_text(text), "zoo:adult")
    plain, old = (elements(each.plan, "lift") for each in (take, take.sketch("old_man")))
    assert old["left_upper_arm sway"].value == pytest.approx(0.8 * plain["left_upper_arm sway"].value)
    assert old["neck twist"].value == pytest.approx(0.5 * plain["neck twist"].value)
    assert old["neck twist"].duration == pytest.approx(1.98)


def test_forearms_shake_by_a_degree_seven_times_a_second(plans: tuple[Plan, Plan]) -> None:
    shaken = {dof: {e.shake for e in track} for dof, track in plans[1].tracks.items() if any(e.shake[0] for e in track)}
    assert shaken
    assert all("forearm bend" in dof for dof in shaken)
    assert set.union(*shaken.values()) == {(0.017, 7.0)}
    assert not any(e.shake[0] for track in plans[0].tracks.values() for e in track)


def test_plans_grow_from_nothing_stage_by_stage(plans: tuple[Plan, Plan]) -> None:
    for plan in plans:
        names = [stage.name for stage in plan.history]
        order = ["nothing", "signals", "solved shapes", "shapes", "timing", "transitions", "queries", "time planner"]
        assert names == [name for name in order if name in names]
        assert plan.history[0].tracks == {}
        assert plan.history[-1].duration == pytest.approx(plan.duration)
