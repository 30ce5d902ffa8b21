"""Source of the code that decides, as mypyc needs it: what it cannot compile, and what would be lost is said.

A struct says its options, the types of its fields and its docstring, a class that others may extend it, a cached property that it keeps
what it has found, a statement that raises an error which cause it has, and a constant that it is one.
"""

import ast
from pathlib import Path

PACKAGES = ("events", "projections", "core", "server", "cli")

SUPPORT_MODULE = "_compiled_support.py"
SUPPORT_TEXT = '''"""Gives compiled code what mypyc does not: options, types of fields and docstrings of structs, and causes of errors."""

from typing import Any, TypeVar

from msgspec import StructMeta


class WithOptions(StructMeta):
    """Makes the plain struct that a class statement describes in `__compiled__`."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_: Any) -> Any:
        options, types, namespace["__doc__"] = namespace.pop("__compiled__")
        namespace["__annotations__"] = types
        return StructMeta(name, bases, namespace, **options)


E = TypeVar("E", bound=BaseException)


def caused(error: E, cause: BaseException | None) -> E:
    """Return an error with its cause, or without what it would be told to have happened during."""
    error.__cause__ = cause
    return error
'''

HEADER_FILE = "kept_fields.h"
HEADER_TEXT = """
#include <CPy.h>
#include <structmember.h>

// Each place that reads a field keeps where the last one read there lies in its type, as Python itself does for code that it interprets.
// To look it up in the type takes ten times as long, and rules read a thousand fields of structs for one command.
typedef struct {
    PyTypeObject *type;
    PyObject *called;
    unsigned int version;
    Py_ssize_t offset;
} KeptField;

static PyObject *unkept_field(KeptField *kept, PyObject *thing, PyObject *name) {
    PyTypeObject *type = Py_TYPE(thing);
    PyObject *found = type->tp_getattro == PyObject_GenericGetAttr ? _PyType_Lookup(type, name) : NULL;
    if (found != NULL && Py_IS_TYPE(found, &PyMemberDescr_Type)) {
        PyMemberDef *field = ((PyMemberDescrObject *)found)->d_member;
        if (field->type == T_OBJECT_EX && type->tp_version_tag != 0) {
            kept->type = type;
            // One place may ask for fields by many names: `getattr`.
            Py_XSETREF(kept->called, Py_NewRef(name));
            kept->version = type->tp_version_tag;
            kept->offset = field->offset;
        }
    }
    return PyObject_GetAttr(thing, name);
}

#undef CPyObject_GetAttr
#define CPyObject_GetAttr(thing, name) __extension__({ \\
    static KeptField kept; \\
    PyObject *from = (thing), *wanted = (name), *value = NULL; \\
    if (Py_TYPE(from) == kept.type && wanted == kept.called && kept.type->tp_version_tag == kept.version) \\
        value = *(PyObject **)((char *)from + kept.offset); \\
    if (value != NULL) \\
        Py_INCREF(value); \\
    else \\
        value = unkept_field(&kept, from, wanted); \\
    value; \\
})

// What mypyc makes of a method of a struct is called with the struct as its first argument, as Python's own functions are: else each call
// makes a bound method, which takes longer than most of these methods.
#undef _Py_TPFLAGS_HAVE_VECTORCALL
#define _Py_TPFLAGS_HAVE_VECTORCALL (Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR)
"""

NOT_NATIVE = frozenset(("Enum", "Exception", "NamedTuple", "Protocol"))
"""Bases of classes that stay Python's, so that anybody may extend them, and their attributes keep their values."""

FUNCTIONS = (ast.FunctionDef, ast.Lambda)


class Tree:
    """The modules of a tree of packages.

    Args:
        root: The folder in which Python finds them.
        top: The package that contains them all in a wheel; empty in the repository.
    """

    def __init__(self, root: Path, top: str = "") -> None:
        self.folder = root / top
        self.prefix = f"{top}." if top else ""
        self._paths = {
            self.name(path): path
            for package in PACKAGES
            for path in sorted((self.folder / package).rglob("*.py"))
            if "distribution" not in path.parts
        }
        self._parsed: dict[str, ast.Module] = {}

    def name(self, path: Path) -> str:
        """Return the name of the module in a file."""
        return self.prefix + ".".join(path.relative_to(self.folder).with_suffix("").parts).removesuffix(".__init__")

    def parsed(self, module: str) -> ast.Module:
        """Return the syntax tree of a module."""
        if module not in self._parsed:
            path = self._paths[module]
            self._parsed[module] = ast.parse(path.read_text(encoding="utf-8"), str(path))
        return self._parsed[module]

    def is_struct(self, module: str, base: ast.expr) -> bool:
        """Return whether an expression in a module names a struct."""
        named = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(named, ast.Attribute) and isinstance(named.value, ast.Name):
            return self._is_struct(self._imported(module, named.value.id), named.attr)
        return isinstance(named, ast.Name) and self._is_struct(module, named.id)

    def _imported(self, module: str, name: str) -> str:
        """Return the module that a name stands for in another one; empty if it is none of these packages."""
        imports = [node for node in self.parsed(module).body if isinstance(node, ast.ImportFrom)]
        found = [
            f"{node.module}.{one.name}" for node in imports for one in node.names if name == (one.asname or one.name)
        ]
        return found[0] if found and found[0] in self._paths else ""

    def _is_struct(self, module: str, name: str) -> bool:
        if module == "msgspec":
            return name == "Struct"
        for node in self.parsed(module).body if module in self._paths else ():
            if isinstance(node, ast.ClassDef) and node.name == name:
                return any(self.is_struct(module, base) for base in node.bases)
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self._is_struct(node.module, alias.name)
        return False


def obstacle(tree: Tree, path: Path) -> str:
    """Return why a module is not compiled; empty if it is."""
    module = tree.name(path)
    for node in ast.walk(tree.parsed(module)):
        if not isinstance(node, ast.ClassDef):
            continue
        bases = {ast.unparse(base) for base in node.bases}
        if "Protocol" in bases and len(bases) > 1:
            return "mypyc fails on protocols that extend others"
        if any(ast.unparse(one) == "runtime_checkable" for one in node.decorator_list):
            return "a protocol that mypyc compiles cannot be asked for at run time"
        if any(tree.is_struct(module, base) for base in node.bases):
            if any(
                isinstance(part, FUNCTIONS)
                for method in _methods(node)
                for part in ast.walk(method)
                if part is not method
            ):
                return "mypyc fails on functions inside the methods of structs"
        elif not NOT_NATIVE & bases and any(map(_is_worked_out, node.body)):
            return "mypyc loses the values of a class's attributes that are worked out"
    return ""


def _methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [part for part in node.body if isinstance(part, ast.FunctionDef)]


def _is_worked_out(statement: ast.stmt) -> bool:
    """Return whether a statement of a class sets an attribute to anything but a constant."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return False
    return ast.unparse(statement).partition(" ")[0] != "__slots__" and not isinstance(statement.value, ast.Constant)


def rewritten(tree: Tree, path: Path) -> str:
    """Return the text of a module with what mypyc would lose."""
    module = tree.name(path)
    parsed = tree.parsed(module)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    _say_causes(lines, parsed)
    _say_final(lines, parsed)
    classes = [node for node in ast.walk(parsed) if isinstance(node, ast.ClassDef)]
    for node in sorted(classes, key=lambda node: -node.lineno):
        for method in reversed(_methods(node)):
            if any(ast.unparse(part) == "cached_property" for part in method.decorator_list):
                _say_cached(lines, method)
        if any(tree.is_struct(module, base) for base in node.bases):
            _say_options(lines, node)
        elif not (node.decorator_list or NOT_NATIVE & {ast.unparse(base) for base in node.bases}):
            lines.insert(node.lineno - 1, f"{' ' * node.col_offset}@mypyc_attr(allow_interpreted_subclasses=True)\n")
    docstring = parsed.body[0]
    assert docstring.end_lineno is not None
    lines[docstring.end_lineno : docstring.end_lineno] = [
        "import msgspec\n",
        "from typing import TYPE_CHECKING as _IS_COMPILED, Final as _Final\n",
        f"from {tree.prefix}events.{SUPPORT_MODULE.removesuffix('.py')} import WithOptions, caused\n",
        "if _IS_COMPILED:\n",
        "    from mypy_extensions import mypyc_attr\n",
    ]
    return "".join(lines)


def _say_causes(lines: list[str], parsed: ast.Module) -> None:
    """Write `raise error from cause`, of which mypyc drops the cause, so that the cause is kept; the number of lines stays."""
    for node in ast.walk(parsed):
        if isinstance(node, ast.Raise) and node.exc is not None and node.cause is not None:
            assert node.end_lineno is not None
            said = f"{' ' * node.col_offset}raise caused({ast.unparse(node.exc)}, {ast.unparse(node.cause)})\n"
            lines[node.lineno - 1 : node.end_lineno] = [said, *["\n"] * (node.end_lineno - node.lineno)]


def _say_final(lines: list[str], parsed: ast.Module) -> None:
    """Say of the constants of a module that they are final: else mypyc looks each up in a dictionary whenever it is used."""
    for node in parsed.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and not _is_type_variable(node.value):
            _insert(lines, node.targets[0], "", ": _Final" if node.targets[0].id.isupper() else "")
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id.isupper():
            _insert(lines, node.annotation, "_Final[", "]")


def _insert(lines: list[str], there: ast.expr, before: str, after: str) -> None:
    """Insert text before and after an expression that is on one line."""
    assert there.end_lineno == there.lineno
    line = lines[there.lineno - 1].encode()
    start, end = there.col_offset, there.end_col_offset
    lines[there.lineno - 1] = f"{line[:start].decode()}{before}{line[start:end].decode()}{after}{line[end:].decode()}"


def _is_type_variable(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "TypeVar"


def _say_cached(lines: list[str], method: ast.FunctionDef) -> None:
    """Write a cached property, of which mypyc makes a plain one, as a property that keeps in an attribute what it has found."""
    name, indent = method.name, " " * method.col_offset
    assert method.returns is not None
    found, kept = ast.unparse(method.returns), f"self._kept_{name}"
    said = [
        f'_kept_{name}: "{found} | None" = None',
        "@property",
        f'def {name}(self) -> "{found}":',
        f"    if {kept} is None:",
        f"        {kept} = self._found_{name}()",
        f"    return {kept}",
    ]
    lines[method.lineno - 1] = lines[method.lineno - 1].replace(f"def {name}(", f"def _found_{name}(", 1)
    lines[method.decorator_list[0].lineno - 1] = "".join([f"{indent}{line}\n" for line in said])


def _say_options(lines: list[str], node: ast.ClassDef) -> None:
    """Write the options, the types and the docstring of a struct into its body, and the metaclass that reads them into its head."""
    options = ", ".join(f"{keyword.arg!r}: {ast.unparse(keyword.value)}" for keyword in node.keywords)
    types = {
        statement.target.id: ast.unparse(statement.annotation)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }
    docstring = node.body[0]
    assert docstring.end_lineno is not None
    said = f"{' ' * docstring.col_offset}__compiled__ = ({{{options}}}, {types!r}, {ast.get_docstring(node, clean=False)!r})  # type: ignore\n"
    lines.insert(docstring.end_lineno, said)
    last = node.keywords[-1].value if node.keywords else node.bases[-1]
    assert last.end_lineno is not None
    line = lines[last.end_lineno - 1].encode()
    head, tail = line[: last.end_col_offset], line[last.end_col_offset :]
    lines[last.end_lineno - 1] = (head + b", metaclass=WithOptions" + tail).decode()
