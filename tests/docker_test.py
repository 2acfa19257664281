#!/usr/bin/env python3
"""Reads docker/Dockerfile and docker/compose.yaml: what they copy and call must exist, what runs must be
small and unprivileged. Each check is tried on a broken file. image_test builds and starts the image."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()


def instructions(text):
    """[(word, rest)] of a Dockerfile, with continued lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    found = [line.split(None, 1) for line in joined.splitlines() if line.strip()]
    return [(words[0], words[1] if len(words) > 1 else "") for words in found]


def copies(steps):
    """[(stage or None, source, destination)]"""
    for word, rest in steps:
        if word == "COPY":
            stage = re.search(r"--from=(\S+)\s+", rest)
            *sources, destination = re.sub(r"--\S+\s+", "", rest).split()
            for source in sources:
                yield stage.group(1) if stage else None, source, destination


def problems(dockerfile, root):
    """Everything that is wrong with a Dockerfile, as sentences."""
    steps = instructions(dockerfile)
    words = [word for word, _ in steps]
    stages = [rest for word, rest in steps if word == "FROM"]
    last = steps[len(words) - 1 - words[::-1].index("FROM"):]
    copied = {}
    for stage, source, destination in copies(steps):
        copied[destination] = source
        if stage is None and not (root / source).exists():
            yield f"COPY {source}: there is no such file"
        if stage is not None and not any(s.endswith(f"AS {stage}") for s in stages):
            yield f"COPY --from={stage}: there is no such stage"
        if stage is not None and f"docker/root build/release /{source.split('/')[1]}" not in dict(steps).get("RUN", ""):
            yield f"COPY {source}: docker/root does not lay that out"
    for word, rest in steps:
        if word != "RUN":
            continue
        for command in re.split(r"&&", rest):
            name = command.split()[0]
            script = copied.get(name, name)
            if "/" in script:
                path = root / script
                if not path.is_file() or not path.stat().st_mode & 0o111:
                    yield f"RUN {name}: no such script"
            else:
                yield f"RUN {name}: let a script do that, so that CI does it too"
    if not stages[0].startswith("debian:bookworm") or stages[-1] != "scratch":
        yield "it is not built on Debian 12, or has more in it than we put there"
    users = [rest for word, rest in last if word == "USER"]
    if not users or re.match(r"root|0(:|$)", users[-1]):
        yield "the server would run as root"
    for needed in ("HEALTHCHECK", "VOLUME", "EXPOSE", "ENTRYPOINT"):
        if needed not in [word for word, _ in last]:
            yield f"{needed} is missing"
    if "HEALTHCHECK" in words and '"triquetrad", "--healthcheck"' not in dict(steps)["HEALTHCHECK"]:
        yield "HEALTHCHECK does not ask the server itself"


def main():
    dockerfile = (ROOT / "docker/Dockerfile").read_text()
    found = list(problems(dockerfile, ROOT))
    compose = (ROOT / "docker/compose.yaml").read_text()
    for needed in ("dockerfile: docker/Dockerfile", "data:/data", "--healthcheck", "8080:8080"):
        if needed not in compose:
            found.append(f"compose.yaml does not say {needed}")

    broken = {
        "no user": dockerfile.replace("USER 10001:10001", ""),
        "root": dockerfile.replace("USER 10001:10001", "USER 0:10001"),
        "shell": dockerfile.replace("FROM scratch", "FROM debian:bookworm-slim"),
        "no script": dockerfile.replace("scripts/run", "scripts/walk"),
        "own command": dockerfile.replace("RUN scripts/install image", "RUN make"),
        "no source": dockerfile.replace("COPY . .", "COPY ./source ."),
        "other folder": dockerfile.replace("build /image /", "build /src /"),
        "no stage": dockerfile.replace("--from=build", "--from=built"),
        "no healthcheck": re.sub(r"HEALTHCHECK.*\\\n.*\n", "", dockerfile),
    }
    for name, text in broken.items():
        if text == dockerfile or not list(problems(text, ROOT)):
            found.append(f"a planted mistake was not seen: {name}")

    for problem in found:
        print(problem)
    print(f"Dockerfile: {len(found)} problems, {len(broken)} planted mistakes tried")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
