"""`arena commit`."""

from pathlib import Path
from typing import Annotated

import typer


def commit(secret: Annotated[Path, typer.Argument(metavar="FILE", help="The file of the secret.")]) -> None:
    """Show what to publish of a contest's secret.

    Prints the commitment, the SHA-256 of the file's 32 bytes; makes the file if there is none. Publish the commitment
    before you know the entries, keep the file to yourself, and name it in the series: seed: commit, secret_file: FILE.

    \b
    Examples:
      arena commit cup/secret
    """
    from arena.dealing import commitment
    from arena.tournament.seeds import made_secret, read_secret

    if made_secret(secret):
        typer.echo(f"Made {secret}: 32 random bytes. Who knows them before the contest can know its cards.", err=True)
    typer.echo(commitment(read_secret(secret)))
