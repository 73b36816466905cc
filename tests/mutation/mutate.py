"""Makes mutants of a C file: one small change each, at places where code runs or a table decides.

A mutant is a replacement of a range of the file's text. Only the tokens are looked at; what does not compile is found
by compiling it. Assertions are left alone (a changed one is a changed test), and so is everything that is not inside
a function or an initialiser.
"""
import collections
import re

Mutant = collections.namedtuple("Mutant", "start end text operator")

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
      | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>->|\+\+|--|<<=|>>=|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|<<|>>|\.\.\.|.)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL)

Token = collections.namedtuple("Token", "kind text start end")

SWAPS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "+=": ["-="], "-=": ["+="], "++": ["--"], "--": ["++"],
    "&": ["|"], "|": ["&"], "<<": [">>"], ">>": ["<<"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
}
NEEDS_LEFT_OPERAND = {"&", "|", "+", "-", "*", "/", "%"}
NAMES = {"true": ["false"], "false": ["true"], "UINT64_MAX": ["(UINT64_MAX - 1)"], "break": [""], "continue": [""]}
NO_STATEMENT = {"return", "break", "continue", "goto", "else", "if", "for", "while", "do", "switch", "case", "default",
                "static", "const", "struct", "enum", "typedef", "assert", "_Static_assert"}


def tokens_of(source):
    found = []
    for match in TOKEN.finditer(source):
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
    return found


def body_ranges(tokens):
    """Pairs of token indexes: what stands inside functions, and inside initialisers at file scope."""
    ranges, depth, begin, is_body = [], 0, 0, False
    for i, token in enumerate(tokens):
        if token.text == "{":
            if depth == 0:
                begin, is_body = i, tokens[i - 1].text in (")", "=")
            depth += 1
        elif token.text == "}":
            depth -= 1
            if depth == 0 and is_body:
                ranges.append((begin, i))
    return ranges


def closing(tokens, opening):
    """The index of the bracket that closes the one at this index."""
    depth = 0
    for i in range(opening, len(tokens)):
        if tokens[i].text in "([{":
            depth += 1
        elif tokens[i].text in ")]}":
            depth -= 1
            if depth == 0:
                return i
    raise ValueError("unbalanced brackets")


def assertion_ranges(tokens):
    return [(i, closing(tokens, i + 1)) for i, token in enumerate(tokens)
            if token.text in ("assert", "_Static_assert") and tokens[i + 1].text == "("]


def is_operand(token):
    return token.kind in ("number", "text") or token.text in (")", "]") or (
        token.kind == "name" and token.text not in ("return", "case", "sizeof"))


def mutate_number(token):
    value, suffix = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", token.text).groups()
    number = int(value, 0)
    return [str(number + 1) + suffix] + ([str(number - 1) + suffix] if number > 0 else [])


def mutate_token(tokens, i):
    token = tokens[i]
    if token.kind == "number":
        return "constant", mutate_number(token)
    if token.kind == "sign" and token.text in SWAPS:
        if token.text in NEEDS_LEFT_OPERAND and not is_operand(tokens[i - 1]):
            return "", []
        return "operator", SWAPS[token.text]
    if token.text == "!":
        return "negation", [""]
    if token.kind == "name" and token.text in NAMES:
        return "name", NAMES[token.text]
    if tokens[i - 1].text in ("case", "[", "==", "!="):
        return "", []
    if token.text.startswith("TVD_DETAIL_") and token.text != "TVD_DETAIL_NONE":
        return "detail", ["TVD_DETAIL_NONE"]
    if token.text.startswith("TVD_ERROR_"):
        return "status", ["TVD_ERROR_STATE_INVARIANT" if token.text != "TVD_ERROR_STATE_INVARIANT"
                          else "TVD_ERROR_OUT_OF_MEMORY"]
    return "", []


def condition_mutants(tokens, i):
    """A check is removed, or always fires."""
    if tokens[i].text not in ("if", "while") or tokens[i + 1].text != "(":
        return
    end = closing(tokens, i + 1)
    for text in ["0"] + (["1"] if tokens[i].text == "if" else []):
        yield Mutant(tokens[i + 1].end, tokens[end].start, text, "condition")


def conjunct_mutants(tokens, first, last):
    """Every operand of && and || in turn is left out. Operands are what stands between brackets and operators."""
    for i in range(first, last):
        if tokens[i].text not in ("&&", "||"):
            continue
        yield Mutant(tokens[i].start, right_end(tokens, i + 1), "", "operand")


def right_end(tokens, i):
    while True:
        text = tokens[i].text
        if text in "([{" and len(text) == 1:
            i = closing(tokens, i)
        elif text in ("&&", "||", ")", "]", "}", ";", ",", "?", ":"):
            return tokens[i - 1].end
        i += 1


def statement_mutants(tokens, first, last):
    """An update or a call is dropped."""
    begin = first + 1
    for i in range(first, last):
        text = tokens[i].text
        if text in ("for", "if", "while", "switch") and tokens[i + 1].text == "(":
            begin = closing(tokens, i + 1) + 1
        elif text in ("{", "}", ":", "else"):
            begin = i + 1
        elif text == ";" and i >= begin:
            if i > begin and tokens[begin].text not in NO_STATEMENT:
                yield Mutant(tokens[begin].start, tokens[i].start, "", "statement")
            begin = i + 1


def return_mutants(tokens, i):
    if tokens[i].text == "return" and tokens[i + 1].text == "status" and tokens[i + 2].text == ";":
        yield Mutant(tokens[i + 1].start, tokens[i + 1].end, "TVD_OK", "return")


def mutants_of(source):
    tokens = tokens_of(source)
    assertions = assertion_ranges(tokens)
    found = []
    for first, last in body_ranges(tokens):
        found.extend(conjunct_mutants(tokens, first, last))
        found.extend(statement_mutants(tokens, first, last))
        for i in range(first, last):
            operator, texts = mutate_token(tokens, i)
            found.extend(Mutant(tokens[i].start, tokens[i].end, text, operator) for text in texts)
            found.extend(condition_mutants(tokens, i))
            found.extend(return_mutants(tokens, i))
    inside = [(tokens[a].start, tokens[b].end) for a, b in assertions]
    return [m for m in found if not any(a <= m.start < b for a, b in inside)]
