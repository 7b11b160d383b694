"""Operators in place, and other writing into an array, in the words of the systems that have no target_shape."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from .. import _core
from .._alignment import Repair, align
from .changes import PRIMARIES
from .operands import Site
from .question import Question

# Its own words are those of the core: Broadcast-3 has a target_shape.
WITH_TARGET_SHAPE = frozenset(("openvino", "onnxruntime", "onnx"))


def is_written(said: dict[str, Any], question: Question) -> bool:
    """Whether the question's target is an array that is written into, or a shape that is asked for, of another system."""
    return question.explanation.alignment.target_shape is not None and said["system"] not in WITH_TARGET_SHAPE


def verdict_of(said: dict[str, Any], question: Question) -> str:
    """What is wrong."""
    told = question.explanation.alignment
    target = told.target_shape
    grown = _result_shape(question)
    if said["in_place"] and grown is not None and target is not None:
        return (
            f"The result of the operator has shape {_core.format_shape(grown)}. "
            f"In place, it has to have the target's own shape {_core.format_shape(target)}."
        )
    # Behind the sentence on these shapes comes one on the rule.
    fault = told.verdict.partition(" Broadcast-3 ")[0]
    return f"{fault} {said['system_title']} stretches what is written to the target's shape, never the target."


def repairs_of(question: Question, site: Site | None) -> tuple[list[Repair], dict[int, str]]:
    """The repairs that can be made in the program, and the text of those that have one of their own, by their place."""
    repairs: list[Repair] = []
    texts: dict[int, str] = {}
    for repair in question.explanation.repairs:
        if repair.kind == "change_target":
            if site is None or not isinstance(site.node, ast.Call):
                continue  # the target is an array, which has its shape
            texts[len(repairs)] = f"give the target the extents {_core.format_shape(repair.shape or ())}"
        repairs.append(repair)
    grown = _result_shape(question)
    if grown is not None and site is not None and isinstance(site.node, ast.AugAssign) and isinstance(site.node.target, ast.Name):
        value = site.source.expression_of(site.node.value)
        if value is not None and site.sign is not None and question.explanation.repairs:
            if not isinstance(site.node.value, (*PRIMARIES, ast.Constant)):
                value = f"({value})"
            name = site.node.target.id
            texts[len(repairs)] = f"{name} = {name} {site.sign} {value} (a new array)"
            repairs.append(replace(question.explanation.repairs[0], kind="change_target", operand=None, code={}, result=grown))
    return repairs, texts


def _result_shape(question: Question) -> tuple[int, ...] | None:
    """The shape of the operator's result, if it is not the target's; None where the shapes do not even fit."""
    told = question.explanation.alignment
    if told.target_shape is None or told.fits:
        return None
    found = align("numpy", [told.target_shape, *told.operands]).shape
    return None if found == told.target_shape else found
