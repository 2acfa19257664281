"""The image of the server: built by scripts/image, looked at, and started as containers are: read-only, without
rights, with a folder for its data.

Usage: image_test.py BUILD SOURCES [--whole]

Without --whole the programs are those of BUILD, and docker/Dockerfile's last stage is built; with it, all of it is, on
a Debian that scripts/base makes, which takes as long as compiling. Needs root and buildah, else it is skipped.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

import seed
from triquetrad import free_port

BUILD, SOURCES = [pathlib.Path(word).resolve() for word in sys.argv[1:3]]
IS_WHOLE = "--whole" in sys.argv
PATIENCE_S = 60 * (60 if IS_WHOLE else 5)  # only a hang takes that long
MOST_MB = 40
SKIPPED = 77


def run(*words):
    done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=PATIENCE_S, cwd=SOURCES)
    assert done.returncode == 0, f"{words} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def unpacked(archive, folder):
    """An OCI archive of one platform: its manifest, its settings, and its root in a folder."""
    folder.mkdir()
    run("tar", "--extract", "--file", archive, "--directory", folder)
    blob = lambda digest: folder / "blobs" / digest.replace(":", "/")  # noqa: E731
    index = json.loads((folder / "index.json").read_text())
    manifest = json.loads(blob(index["manifests"][0]["digest"]).read_text())
    if "manifests" in manifest:  # a list of platforms
        manifest = json.loads(blob(manifest["manifests"][0]["digest"]).read_text())
    root = folder / "root"
    root.mkdir()
    for layer in manifest["layers"]:
        run("tar", "--extract", "--preserve-permissions", "--numeric-owner", "--file", blob(layer["digest"]), "--directory", root)
    return manifest, json.loads(blob(manifest["config"]["digest"]).read_text()), root


def check_inside(manifest, settings, root):
    version = re.search(r"project\(triquetra VERSION (\S+)", (SOURCES / "CMakeLists.txt").read_text())[1]
    title = "org.opencontainers.image."
    labels = settings["config"]["Labels"]
    assert labels[title + "version"] == manifest["annotations"][title + "version"] == version, (labels, manifest)
    assert labels[title + "licenses"] == "MIT" and labels[title + "revision"], labels
    assert settings["config"]["User"] == "10001:10001" and settings["config"]["Entrypoint"] == ["triquetrad"], settings
    told = json.loads((root / "usr/share/doc/triquetra/sbom.spdx.json").read_text())
    assert told["spdxVersion"] == "SPDX-2.3"
    # Of each library and header that is told of, the licence is there.
    for package in told["packages"]:
        if package["SPDXID"].startswith("SPDXRef-deb-"):
            assert (root / "usr/share/doc" / package["name"] / "copyright").read_text(), package["name"]
    assert "Jason Miller" in (root / "usr/share/doc/triquetra/copyright").read_text(), "a part of the browser client"
    assert not list(root.glob("usr/bin/*sh")) and not (root / "usr/bin/apt").exists(), "more inside than needed"
    sizes = {path: path.lstat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink()}
    total = sum(sizes.values()) / 1e6
    largest = sorted(sizes, key=sizes.get, reverse=True)[:4]
    print(f"image {version}: {total:.1f} MB in {len(sizes)} files, of which",
          ", ".join(f"{path.name} {sizes[path] / 1e6:.1f}" for path in largest))
    assert total < MOST_MB, total


class Container:
    """The root in use as an engine would have it, in a view of the file system of its own."""

    def __init__(self, root, settings, data):
        data.mkdir(mode=0o700)
        os.chown(data, 10001, 10001)
        self.port = free_port()
        environment = [*settings["config"]["Env"], f"TRIQUETRA_PORT={self.port}", "TRIQUETRA_BOT_DELAY_MS=0"]
        # There is no env in the image: the variables are set before.
        self.words = ["env", "-i", *environment, shutil.which("chroot"), "--userspec=10001:10001", root]
        mounts = f'mount --bind "{root}" "{root}" && mount --bind "{data}" "{root}/data" && ' \
                 f'mount -o remount,bind,ro "{root}" && exec "$@"'
        self.process = subprocess.Popen(["unshare", "--mount", "sh", "-c", mounts, "sh", *map(str, self.words),
                                         *settings["config"]["Entrypoint"]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True)

    def run(self, *words):
        """Beside the server, in the same view."""
        return subprocess.run(["nsenter", "--target", str(self.process.pid), "--mount", *map(str, self.words), *words],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S)


def check_running(root, settings, folder):
    container = Container(root, settings, folder / "data")
    try:
        until = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{container.port}/readyz", timeout=10)
                break
            except OSError:
                assert container.process.poll() is None and time.monotonic() < until, container.process.stdout.read()
                time.sleep(0.1)
        assert container.run("triquetrad", "--healthcheck").returncode == 0
        assert container.run("triquetra", "rooms", "--server", f"ws://127.0.0.1:{container.port}").returncode == 0
        status = pathlib.Path(f"/proc/{container.process.pid}/status").read_text()
        assert re.search(r"^Uid:\s+10001\s+10001", status, re.MULTILINE) and "CapEff:\t0000000000000000" in status, status
        refused = container.run("triquetrad", "backup", "/tmp/copy.db")
        assert refused.returncode == 1 and "Read-only" in refused.stdout, refused.stdout
        told = run(sys.executable, SOURCES / "clients/sdk/python/random_bot.py", "--game", "triqueta", "--bots", "1", "--json",
                   "--server", f"ws://127.0.0.1:{container.port}")
        assert json.loads(told.splitlines()[-1])["matches"] == 1, told
        assert (folder / "data/triquetra.db").exists()
    finally:
        container.process.terminate()
        ended = container.process.wait(60)
        container.process.stdout.close()
    assert ended == 0, "SIGTERM must end it well"
    print("started: read-only, without rights, and a match was played")


def main():
    if os.geteuid() != 0 or not shutil.which("buildah"):
        print("skipped: this needs root and buildah")
        sys.exit(SKIPPED)
    seed.take()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        archive = folder / "image.tar"
        print(run("scripts/image", *([] if IS_WHOLE else ["--from", BUILD]), archive), end="")
        manifest, settings, root = unpacked(archive, folder / "oci")
        if not IS_WHOLE:
            own = run("dpkg", "--print-architecture").strip()
            told = run("scripts/image", "--from", BUILD, "--platforms", f"linux/{own},linux/riscv64", folder / "again.tar")
            assert "riscv64 do not run here" in told, told
            assert unpacked(folder / "again.tar", folder / "again")[0] == manifest, "not the same image twice"
        check_inside(manifest, settings, root)
        check_running(root, settings, folder)


if __name__ == "__main__":
    main()
