"""What the commands that call an arena have in common: their options."""

from pathlib import Path
from typing import Annotated

import typer

ADDRESS = typer.Option("--server", metavar="ADDRESS", envvar="ARENA_SERVER", help="The arena: host:port or unix:/path.")
Token = Annotated[
    str,
    typer.Option(
        "--token",
        metavar="T",
        envvar="ARENA_TOKEN",
        show_envvar=True,
        help="Who calls. Better in the environment: others can read a command's options.",
    ),
]
Ca = Annotated[
    Path | None,
    typer.Option("--ca", metavar="FILE", envvar="ARENA_CA", help="By TLS, trusting the certificates of this file."),
]
Tls = Annotated[bool, typer.Option("--tls", help="By TLS, with a certificate that the system knows.")]
Plaintext = Annotated[bool, typer.Option("--plaintext", help="Send the token unencrypted beyond this machine.")]
