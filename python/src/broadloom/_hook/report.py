"""What is printed below a traceback."""

from __future__ import annotations

import ast
import os
import textwrap
from typing import Any

from .. import _core
from .._alignment import Repair, _change
from .chain import Failed, errors_in, failed_in, is_remote, message_of
from .in_place import is_written, repairs_of, verdict_of
from .operands import Operand, Site, site_of
from .positions import Source, node_at, position_at, read_source
from .question import Question, ask, can_say, read_message, shapes_text

# Further repairs are not printed.
MOST_REPAIRS = 4
# Longer names and lines are cut.
MOST_CHARACTERS = 120
# Longer lines are not shown with a change: what is cut is no program.
MOST_CHANGED_CHARACTERS = 500
# Of a group, further errors are not explained.
MOST_REPORTS = 3


def report_of(error: BaseException, link_base: str | None) -> str | None:
    """What to print after an exception; None if it has nothing to do with shapes."""
    if not isinstance(error, Exception) and not isinstance(error, BaseExceptionGroup):
        return None
    with_site: list[str] = []
    without: list[str] = []
    for each in errors_in(error):
        message = message_of(each)
        said = None if message is None else read_message(message)
        if message is None or said is None or not can_say(each, said):
            continue
        failed = failed_in(each)
        has_frames = not is_remote(each)
        site = _site(failed) if failed is not None and has_frames else None
        said = read_message(message, site) or said
        text = _report(said, ask(said, site, link_base), site, failed, has_frames)
        (without if site is None else with_site).append(text)
        is_group = isinstance(error, BaseExceptionGroup)
        if site is not None and (not is_group or len(with_site) == MOST_REPORTS):
            break
    found = with_site or without[:1]
    return "\n".join(found) if found else None


def _site(failed: Failed) -> Site | None:
    code = failed.frame.f_code
    names = failed.frame.f_globals
    source = read_source(code.co_filename, names if type(names) is dict else None)
    node = None if source is None else node_at(source, position_at(code, failed.instruction))
    if source is None or node is None:
        return None
    return site_of(node, source, failed.frame, failed.callee)


def _report(said: dict[str, Any], question: Question | None, site: Site | None, failed: Failed | None, has_frames: bool) -> str:
    lines = ["", f"broadloom: {_what(said, question)}"]
    if failed is not None:
        where = _place(failed.frame.f_code.co_filename, failed.line)
        written = "" if site is None else f": {_cut(site.source.text_of(_expression(site)))}"
        from_elsewhere = "" if has_frames else "from another process; received at "
        lines += ["", f"{from_elsewhere}{where}{written}"]
        if failed.called_from is not None:
            lines.append(f"called from {_place(*failed.called_from)}")
    operands = [] if site is None else site.operands
    if question is not None:
        operands = question.operands
        labels = _labels(question)
    else:
        operands = [each for each in operands if each.shape or isinstance(each.node, (ast.Name, ast.Call, ast.Attribute))]
        labels = [""] * len(operands)
    if any(operand.text for operand in operands):
        lines += ["", *_legend(operands, labels)]
    if question is not None:
        lines += _answer(said, question, site, failed)
    return "\n".join(lines) + "\n"


def _labels(question: Question) -> list[str]:
    labels = [_core.format_operand(index) for index in range(len(question.explanation.alignment.operands))]
    return [*labels, _core.format_operand(-2)] if len(question.operands) > len(labels) else labels


def _what(said: dict[str, Any], question: Question | None) -> str:
    if said["no_broadcast"] is not None:
        return str(said["no_broadcast"]["message"])
    if question is not None:
        return verdict_of(said, question) if is_written(said, question) else question.explanation.alignment.verdict
    sizes = [str(size if type(size) is int else size["name"]) for size in said["sizes"]]
    title = said["system_title"]
    if len(sizes) < 2:
        return f"{title} could not broadcast the operands."
    where = ""
    if said["axis_counts"] == "from_left_in_result":
        where = f" along axis {said['axis']} of the result"
    return f"{title} could not broadcast the operands: the extents {' and '.join(sizes)} conflict{where}."


def _expression(site: Site) -> Any:
    """The expression to print: a statement stands for its own text."""
    if isinstance(site.node, ast.Subscript) and isinstance(site.node.ctx, ast.Store):
        return site.source.parents[site.node]
    return site.node


def _legend(operands: list[Operand], labels: list[str]) -> list[str]:
    rows = [
        (f"{label} is " if label else "", _cut(operand.text or "an operand without a name"), shapes_text(operand.shape))
        for label, operand in zip(labels, operands, strict=True)
    ]
    label_width, text_width = (max(len(row[column]) for row in rows) for column in (0, 1))
    return [f"  {label:{label_width}}{text:{text_width}}  {shape}" for label, text, shape in rows]


def _answer(said: dict[str, Any], question: Question, site: Site | None, failed: Failed | None) -> list[str]:
    told = question.explanation
    lines = ["", str(told.alignment)]
    if told.cause is not None:
        lines += ["", f"{'Perhaps' if told.cause.is_thin else 'Likely cause'}: {told.cause.text}"]
    for index in sorted(question.refused):
        rank = question.operands[index].declared_rank
        declared = "" if rank is None else f", which declares it with rank {rank}"
        label = _labels(question)[index]
        lines += ["", f"{label} is an input of the model{declared}: for other axes, the model has to be changed."]
    all_repairs, texts = repairs_of(question, site) if is_written(said, question) else (list(told.repairs), {})
    changes = [texts.get(index) or _change(repair, told.alignment) for index, repair in enumerate(all_repairs)]
    repairs = list(zip(changes, all_repairs, strict=True))[:MOST_REPAIRS]
    is_changed = False
    if failed is not None and site is not None and not failed.is_installed:
        for row in repairs:
            repair = row[1]
            changed = _changed_lines(repair, said["system"], question.operands, site.source)
            if changed is not None:
                repairs.remove(row)
                is_changed = True
                place = _place(failed.frame.f_code.co_filename, changed[0])
                if_meant = ", if that is what you mean" if repair.grade == "only_if_meant" else ""
                lines += ["", f"Change {place}{if_meant}:", *changed[1], repair.meaning]
                break
    if repairs:
        width = max(len(_cut(change)) for change, _ in repairs)
        lines += ["", "What else would work:" if is_changed else "What would work:"]
        for change, repair in repairs:
            is_named = repair.operand is not None and repair.operand >= 0 and question.operands[repair.operand].text
            code = _code(repair, said["system"]) if is_named else None
            lines.append(f"  {_cut(change):{width}}  gives {shapes_text(repair.result)}" + (f": {_cut(code)}" if code else ""))
    if told.link is not None:
        lines += ["", f"Open: {told.link}"]
    return lines


def _code(repair: Repair, system: str) -> str | None:
    return repair.code.get(system, repair.code.get("numpy"))


def _changed_lines(repair: Repair, system: str, operands: list[Operand], source: Source) -> tuple[int, list[str]] | None:
    """The number of the line, and the lines before and after a repair; None if it is no change of an expression."""
    code = _code(repair, system)
    if repair.operand is None or repair.operand < 0 or code is None or repair.needs_new_array:
        return None
    node = operands[repair.operand].node
    if node is None or not operands[repair.operand].text or node.end_lineno is None or node.end_col_offset is None:
        return None
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return None
    old = source.lines[node.lineno - 1 : node.end_lineno]
    before = old[0].encode()[: node.col_offset].decode()
    after = old[-1].encode()[node.end_col_offset :].decode()
    new = (before + code + after).splitlines()
    try:
        changed = [*source.lines[: node.lineno - 1], before + code + after, *source.lines[node.end_lineno :]]
        ast.parse("".join(changed))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    texts = textwrap.dedent("".join(old)).splitlines(), textwrap.dedent("\n".join(new)).splitlines()
    if any(len(line) > MOST_CHANGED_CHARACTERS for part in texts for line in part):
        return None
    return node.lineno, [f"  {sign} {line}" for sign, part in zip("-+", texts, strict=True) for line in part]


def _place(filename: str, line: int) -> str:
    is_cell = "ipython-input" in filename or "ipykernel_" in filename
    shown = "the cell" if is_cell else os.path.basename(filename) if os.path.isabs(filename) else filename
    return f"line {line} of {shown}"


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
