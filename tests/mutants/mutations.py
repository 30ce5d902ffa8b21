"""The mutations of a module: small faults, one at a time, in the code of its functions."""

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef

COMPARISONS = ((ast.Eq, ast.NotEq), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.In, ast.NotIn), (ast.Is, ast.IsNot))
OPERATORS = ((ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv), (ast.Mod, ast.FloorDiv), (ast.LShift, ast.RShift))
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    **{other: one for one, other in (*COMPARISONS, *OPERATORS)},
    **dict((*COMPARISONS, *OPERATORS)),
}
"""Each operator with the one that is put in its place."""


class Mutant(NamedTuple):
    """A module with one fault.

    Attributes:
        module: The path of the module below the root.
        function: The qualified name of the function.
        line: The line of the fault in the module as it is.
        change: The statement's first line before and after, `BEFORE  ->  AFTER`.
        source: Writes the source of the module with the fault; most mutants are only counted, or looked at by their names.
    """

    module: str
    function: str
    line: int
    change: str
    source: Callable[[], str]

    @property
    def name(self) -> str:
        """What stays the same when lines move: module, function and change."""
        return f"{self.module}::{self.function}  {self.change}"


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module.

    Args:
        module: Its path below the root.
        source: Its source, valid Python.
    """
    tree = ast.parse(source)
    for function, name in _functions(tree, ""):
        for statement in _statements(function.body):
            before = _headline(statement)
            for line, change, revert in _faults(statement):
                change()
                after = _headline(statement)
                revert()
                yield Mutant(module, name, line, f"{before}  ->  {after}", partial(_written, tree, change, revert))


def _written(tree: ast.Module, change: Callable[[], None], revert: Callable[[], None]) -> str:
    """Return the source of a module with a fault."""
    change()
    try:
        return ast.unparse(tree)
    finally:
        revert()


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[Function, str]]:
    """Yield the functions of a module and the methods of its classes; what a function defines inside belongs to it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield child, f"{prefix}{child.name}"
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body and of the bodies in it, without docstrings, assertions and imports."""
    for statement in body:
        if isinstance(statement, ast.Assert | ast.Import | ast.ImportFrom | ast.Pass) or _is_text(statement):
            continue
        yield statement
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, name, []))
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _statements(part.body)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _headline(statement: ast.stmt) -> str:
    """Return the first line of a statement, decorators left out."""
    lines = ast.unparse(statement).splitlines()
    return next(line for line in lines if not line.startswith("@"))


Fault = tuple[int, Callable[[], None], Callable[[], None]]


def _faults(statement: ast.stmt) -> Iterator[Fault]:
    """Yield the faults of one statement, those of the statements in it left out: line, how to make it, how to take it away."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield _replaced(statement, "value", ast.Constant(None))
    if isinstance(statement, ast.Return) and statement.value is not None and not _is_empty(statement.value):
        yield _replaced(statement, "value", ast.Constant(None))
    if isinstance(statement, ast.AugAssign) and type(statement.op) in SWAPPED:
        yield _replaced(statement, "op", SWAPPED[type(statement.op)](), statement.lineno)
    if isinstance(statement, ast.If | ast.While) and not isinstance(
        statement.test, ast.Compare | ast.BoolOp | ast.UnaryOp
    ):
        yield _replaced(statement, "test", ast.UnaryOp(ast.Not(), statement.test))
    for node in _expressions(statement):
        yield from _faults_in(node)


def _is_empty(node: ast.expr) -> bool:
    """Return whether a value is as good as None where it is only asked whether there is one."""
    return (isinstance(node, ast.Constant) and not node.value) or (
        isinstance(node, ast.Tuple | ast.List) and not node.elts
    )


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement's own expressions; annotations are not code, and `strict=True` only asserts."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or (
            isinstance(node, ast.keyword) and node.arg == "strict"
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                yield child
                yield from _expressions(child)


def _faults_in(node: ast.AST) -> Iterator[Fault]:
    line = getattr(node, "lineno", 0)
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in SWAPPED:
            yield _replaced(node, "ops", [SWAPPED[type(operator)]()])
        case ast.BoolOp(op=operator):
            yield _replaced(node, "op", ast.Or() if isinstance(operator, ast.And) else ast.And(), line)
            for number in range(len(node.values)):
                yield _replaced(node, "values", [one for at, one in enumerate(node.values) if at != number], line)
        case ast.UnaryOp(op=ast.Not()):
            yield _replaced(node, "operand", ast.UnaryOp(ast.Not(), node.operand), line)
        case ast.BinOp(op=operator) if type(operator) in SWAPPED:
            yield _replaced(node, "op", SWAPPED[type(operator)](), line)
        case ast.IfExp():
            yield _replaced(node, "test", ast.UnaryOp(ast.Not(), node.test), line)
        case ast.comprehension(ifs=[_, *_]):
            yield _replaced(node, "ifs", [], node.ifs[0].lineno)
        case ast.Constant(value=bool() as value):
            yield _replaced(node, "value", not value, line)
        case ast.Constant(value=int() as value):
            yield _replaced(node, "value", value + 1, line)
        case _:
            pass


def _replaced(node: ast.AST, field: str, value: object, line: int = 0) -> Fault:
    was = getattr(node, field)
    return line or getattr(node, "lineno", 0), lambda: setattr(node, field, value), lambda: setattr(node, field, was)
