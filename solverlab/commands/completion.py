"""`solverlab completion`: a script after which the shell completes commands, options and names.

The script is written from the parser itself, so that a new command or option is offered without being listed
here. Zsh reads the same script as Bash.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from shlex import quote

from solverlab.core.options import OneOf

SHELLS = ("bash", "zsh")
SCRIPT = """_solverlab() {{
  local here="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command=solverlab words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$command ${{COMP_WORDS[at]}}" in
      {commands}) command="$command ${{COMP_WORDS[at]}}" ;;
    esac
  done
  case "$command $before" in
{values}
  *) case "$command" in
{words}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$here"))
}}
complete -o default -F _solverlab solverlab
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def script(top: argparse.ArgumentParser, shell: str, *others: argparse.ArgumentParser) -> str:
    """What the shell reads; where it offers nothing, it completes the names of files.

    `others` are commands that read their options themselves.
    """
    known = dict(_commands(top, top.prog)) | {other.prog: other for other in others}
    values = [
        f"  {quote(f'{command} {name}')}) words={quote(' '.join(names))} ;;"
        for command, made in known.items()
        for action in made._actions
        for name in action.option_strings
        if (names := _names(action)) or action.nargs != 0
    ]
    words = [
        f"    {quote(command)}) words={quote(' '.join(_words(made)))} ;;" for command, made in known.items()
    ]
    text = SCRIPT.format(
        commands="|".join(quote(command) for command in known),
        values="\n".join(values),
        words="\n".join(words),
    )
    return ZSH + text if shell == "zsh" else text


def _commands(made: argparse.ArgumentParser, command: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """A parser and all below it, each with the words that lead there."""
    yield command, made
    for action in made._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from _commands(below, f"{command} {name}")


def _words(made: argparse.ArgumentParser) -> list[str]:
    """What may stand after a command: its actions, the names it knows and its options."""
    placed = [name for action in made._actions if not action.option_strings for name in _names(action)]
    return placed + [name for action in made._actions for name in action.option_strings if len(name) > 2]


def _names(action: argparse.Action) -> tuple[str, ...]:
    """The values an option or a place is known to take."""
    if action.choices is not None:
        return tuple(map(str, action.choices))
    return action.metavar.names if isinstance(action.metavar, OneOf) else ()
