"""The question of a shape error: which shapes met under which rule, and what the operands are called."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from .. import _core
from .._alignment import Explanation, explain, read_pasted
from .._errors import BroadcastError
from .changes import stand_in_for, with_texts
from .operands import Operand, Site, takes_arrays
from .values import Shape, system_of

# What a message can be about that concerns no shapes: see NoBroadcast in paste.h.
NOT_SHAPES = frozenset(("axis", "call", "index", "ragged"))

# Systems whose operators have several rules: see PastedQuestion in paste.h.
WITH_SEVERAL_RULES = frozenset(("onnx", "openvino", "paddle"))


@dataclass
class Question:
    """What is asked: `explain` answers it."""

    explanation: Explanation
    #: The operands in their order; the target, if the rule has one, is the last.
    operands: list[Operand]
    #: Operands that a model would not take, or might not, with the axes that would fit.
    refused: frozenset[int] = frozenset()


def read_message(message: str, site: Site | None = None) -> dict[str, Any] | None:
    """What an exception's message says about shapes; None if it says nothing about them.

    >>> read_message("ValueError: operands could not be broadcast together with shapes (2,3) (2,)")["rule"]
    'numpy'
    >>> read_message("ValueError: not enough values to unpack (expected 2, got 1)")
    """
    line = "" if site is None else f'Traceback (most recent call last):\n  File "program", line 1, in f\n    {site.statement}\n'
    said = read_pasted(line + message)
    if said is None or said["system"] in (None, "unknown"):
        return None
    return None if said["no_broadcast"] is not None and said["no_broadcast"]["kind"] in NOT_SHAPES else said


def can_say(error: BaseException, said: dict[str, Any]) -> bool:
    """Whether an exception is of a class with which the system raises what the message says.

    >>> said = read_message("ValueError: operands could not be broadcast together with shapes (2,3) (2,)")
    >>> can_say(ValueError(), said), can_say(KeyError(), said)
    (True, False)
    """
    if system_of(error) is not None:
        return True
    if said["system"] == "numpy":
        # Indices are broadcast with each other. Of a mask, the text has no shapes: it has to have the array's own axes.
        return isinstance(error, ValueError) or (isinstance(error, IndexError) and bool(said["shapes"]))
    return isinstance(error, (ValueError, RuntimeError, TypeError, IndexError))


def ask(said: dict[str, Any], site: Site | None, link_base: str | None) -> Question | None:
    """The question of a message, with names and missing shapes from the site; None if shapes are missing in both."""
    if said["no_broadcast"] is not None:
        return None
    question = said["question"]
    if question is not None and not question["is_symbolic"]:
        places = [*question["operands"], *([] if question["target"] is None else [question["target"]])]
        operands = _named([said["shapes"][place] for place in places], site)
        return _explained(said, question, operands, question["target"] is not None, site, link_base)
    if site is None or said["rule"] is None:
        return None
    for operands, has_target in _candidates(said, site):
        shapes = [operand.shape for operand in operands]
        if len(shapes) < 2 or any(shape is None for shape in shapes):
            continue
        asked = {
            "rule": "broadcast_numpy" if has_target else said["rule"],
            "keeps_rule": said["system"] not in WITH_SEVERAL_RULES,
            "writes_to_target": has_target,
            "writes_operand": has_target,
        }
        found = _explained(said, asked, operands, has_target, site, link_base)
        # Shapes that fit are not those that failed.
        if found is not None and not found.explanation.alignment.fits and _has_sizes(found, said["sizes"]):
            return found
    return None


def _explained(
    said: dict[str, Any],
    question: dict[str, Any],
    operands: list[Operand],
    has_target: bool,
    site: Site | None,
    link_base: str | None,
) -> Question | None:
    shapes = [operand.shape for operand in operands]
    # Arrays of NumPy are changed by its own means, also where another system takes them, as a model does that runs.
    system = "numpy" if _are_of_numpy(operands, site) else said["system"]
    stand_ins = [None if site is None else stand_in_for(index, each, site, system) for index, each in enumerate(operands)]
    expressions = ["" if stand_in is None else stand_in.handed for stand_in in stand_ins]
    options: dict[str, Any] = dict(link_base=link_base, pasted=question)
    if has_target:
        options["target_shape"] = shapes.pop()
        expressions.pop()
    if question["rule"] == "pdpd" and said["rule_axis"] is not None:
        options["axis"] = said["rule_axis"]
    row = _core.op_rows().get(said["op"])
    # An operator that does not take these operands is not part of the question.
    for op in [said["op"], None] if row is not None else [None]:
        try:
            told = explain(question["rule"], shapes, op=op, expressions=expressions, **options)
            return _for_models(Question(with_texts(told, stand_ins, site, system), operands))
        except BroadcastError:
            continue
    return None


def _are_of_numpy(operands: list[Operand], site: Site | None) -> bool:
    nodes = [operand.node for operand in operands]
    if any(operand.is_fed for operand in operands):
        return True
    return site is not None and all(node is not None and system_of(site.view.value(node)) == "numpy" for node in nodes)


def _for_models(question: Question) -> Question:
    """Without changes of a model's inputs that the model refuses, and without the code of those that it might refuse."""
    repairs = []
    refused: set[int] = set()
    for repair in question.explanation.repairs:
        at = repair.operand
        operand = question.operands[at] if at is not None and at >= 0 else None
        if operand is not None and operand.is_fed and at is not None and repair.shape is not None:
            rank = len(repair.shape)
            if operand.declared_rank is None and rank != len(operand.shape or ()):
                refused.add(at)
                repair = replace(repair, code={})
            elif operand.declared_rank not in (None, rank):
                refused.add(at)
                continue
        repairs.append(repair)
    return Question(replace(question.explanation, repairs=tuple(repairs)), question.operands, frozenset(refused))


def _operand_of(expression: str | None, site: Site) -> Operand | None:
    """The operand that a place in the site's statement stands for."""
    found = re.match(r"operand(\d+)\b", expression or "")
    return site.operands[int(found[1])] if found else None


def _named(shapes: list[dict[str, Any]], site: Site | None) -> list[Operand]:
    """The shapes of a message with the operands that they are the shapes of."""
    operands = [Operand(None, "", tuple(shape["extents"])) for shape in shapes]
    if site is None:
        return operands
    free = list(site.operands)
    for i, shape in enumerate(shapes):
        meant = _operand_of(shape["expression"], site)
        if meant is None or meant not in free:
            continue
        if meant.shape == operands[i].shape or (meant.shape is None and takes_arrays(site)):
            operands[i] = replace(meant, shape=operands[i].shape)
            free.remove(meant)
    # A name whose shape is unique is that operand, whatever the call does with it.
    for i, operand in enumerate(operands):
        if operand.text or [each.shape for each in operands if not each.text].count(operand.shape) > 1:
            continue
        same = [each for each in free if each.shape == operand.shape]
        # A shape that was asked for is an argument itself.
        same = same or [each for each in free if each.extents == operand.shape]
        if len(same) == 1:
            operands[i] = replace(same[0], shape=operand.shape)
            free.remove(same[0])
    return operands


def _candidates(said: dict[str, Any], site: Site) -> list[tuple[list[Operand], bool]]:
    """What may have met, likeliest first: operands, with the target last if there is one."""
    placed = [(shape["role"], _operand_of(shape["expression"], site)) for shape in said["shapes"]]
    operands = [meant for role, meant in placed if role not in ("target", "output") and meant is not None]
    targets = [meant for role, meant in placed if role in ("target", "output") and meant is not None]
    candidates: list[tuple[list[Operand], bool]] = []
    if said["in_place"] and len(operands) == 2:
        candidates.append(([operands[1], operands[0]], True))
    elif said["rule"] == "broadcast_numpy" and targets and operands:
        candidates.append(([operands[0], targets[0]], True))
    elif said["rule"] != "broadcast_numpy":
        candidates.append((operands, False))
        arrays = [operand for operand in site.operands if operand.shape]
        pairs = [(arrays[i], arrays[j]) for i in range(len(arrays)) for j in range(i + 1, len(arrays))]
        candidates += [([a, b], False) for a, b in pairs]
    return candidates


def _has_sizes(question: Question, sizes: list[Any]) -> bool:
    """Whether extents that a message has occur in the shapes: otherwise others failed."""
    extents = {extent for operand in question.operands for extent in operand.shape or ()}
    return all(type(size) is not int or size in extents for size in sizes)


def shapes_text(shape: Shape | None) -> str:
    return "(shape unknown)" if shape is None else _core.format_shape(shape)
