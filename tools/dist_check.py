"""Build the wheel and the source archive, install each into an empty environment and use it there.

An argument names the folder that gets both; without one they are not kept.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
SMOKE = ROOT / "tools" / "smoke.py"
LARGEST_WHEEL = 2_000_000


def run(*command: str | Path, folder: Path) -> None:
    """Run a program in a folder; exit with its message if it fails."""
    if subprocess.run(command, cwd=folder, check=False).returncode:  # noqa: S603
        sys.exit(f"Failed: {' '.join(map(str, command))}")


def environment(folder: Path) -> Path:
    """Make an environment with nothing but pip; return its Python."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def main() -> int:
    """Build, install and use both archives."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        builder = environment(folder / "build")
        dist = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else folder / "dist"
        run(builder, "-m", "pip", "install", "--quiet", "build", folder=folder)
        run(builder, "-m", "build", "--outdir", dist, ROOT, folder=folder)
        (wheel,), (source,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
        for archive in (wheel, source):
            print(f"{archive.name}: {archive.stat().st_size / 1e6:.1f} MB", flush=True)
            python = environment(folder / archive.suffix)
            run(python, "-m", "pip", "install", "--quiet", archive, folder=folder)
            run(python, SMOKE, folder=folder)
        if wheel.stat().st_size > LARGEST_WHEEL:
            sys.exit(f"{wheel.name} is larger than {LARGEST_WHEEL:,} bytes. What came into src/cutwise?")
    print("Both install into an empty environment and work there.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
