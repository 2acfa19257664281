"""The packages: what an installation puts where, the Debian packages of it without an error of lintian and with the
same bytes each time, and the list of what is inside.

Usage: packages_test.py BUILD SOURCES      BUILD is a build with both programs, such as build/dev
"""
import copy
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUILD, SOURCES = [pathlib.Path(word).resolve() for word in sys.argv[1:3]]
EPOCH = "1750000000"
WHERE = {
    "triquetra-server": """
        etc/triquetra/triquetrad.conf
        usr/lib/systemd/system/triquetrad.service
        usr/sbin/triquetrad
        usr/share/bash-completion/completions/triquetrad
        usr/share/doc/triquetra-server/HOSTING.md.gz
        usr/share/doc/triquetra-server/SECURITY.md.gz
        usr/share/doc/triquetra-server/VERSIONS.md.gz
        usr/share/doc/triquetra-server/changelog.gz
        usr/share/doc/triquetra-server/copyright
        usr/share/doc/triquetra-server/sbom.spdx.json
        usr/share/fish/vendor_completions.d/triquetrad.fish
        usr/share/man/man8/triquetrad.8.gz
        usr/share/zsh/vendor-completions/_triquetrad""".split(),
    "triquetra-client": """
        usr/bin/triquetra
        usr/share/bash-completion/completions/triquetra
        usr/share/doc/triquetra-client/PROTOCOL.md.gz
        usr/share/doc/triquetra-client/TERMINAL.md.gz
        usr/share/doc/triquetra-client/changelog.gz
        usr/share/doc/triquetra-client/copyright
        usr/share/doc/triquetra-client/sbom.spdx.json
        usr/share/fish/vendor_completions.d/triquetra.fish
        usr/share/man/man1/triquetra.1.gz
        usr/share/zsh/vendor-completions/_triquetra""".split(),
}


def run(*words, **more):
    env = os.environ | {"SOURCE_DATE_EPOCH": EPOCH} | more.pop("env", {})
    done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=600, env=env, **more)
    assert done.returncode == 0, f"{words} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


# --- What is inside

def wrong_with(told, needed, npm):
    """What SPDX 2.3 asks for and is not there, and what is in the programs and is not told."""
    for field in ("SPDXID", "name", "documentNamespace"):
        if not told.get(field):
            yield f"no {field}"
    if told.get("spdxVersion") != "SPDX-2.3" or told.get("dataLicense") != "CC0-1.0":
        yield "not SPDX 2.3"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", told["creationInfo"]["created"]):
        yield "no time"
    if not all(re.match(r"(Tool|Organization|Person): \S", creator) for creator in told["creationInfo"]["creators"]):
        yield "creators"
    ids = [package["SPDXID"] for package in told["packages"]] + ["SPDXRef-DOCUMENT"]
    if len(ids) != len(set(ids)) or not all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one) for one in ids):
        yield "ids"
    for package in told["packages"]:
        for field in ("name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText"):
            if not package.get(field):
                yield f"{package['name']} without {field}"
        for checksum in package.get("checksums", []):
            if not re.fullmatch(r"[0-9a-f]{128}", checksum["checksumValue"]):
                yield f"checksum of {package['name']}"
    for relation in told["relationships"]:
        for end in ("spdxElementId", "relatedSpdxElement"):
            if relation[end] not in ids:
                yield f"{relation[end]} is not there"
    targets = {relation["relatedSpdxElement"] for relation in told["relationships"]
               if relation["relationshipType"] == "DYNAMIC_LINK"}
    linked = {package["name"] for package in told["packages"] if package["SPDXID"] in targets}
    for name in needed - linked:
        yield f"{name} is linked and not told"
    contained = {relation["relatedSpdxElement"] for relation in told["relationships"]
                 if relation["relationshipType"] == "CONTAINS"}
    for name, version in npm.items():
        if not any(package["name"] == name and package["versionInfo"] == version and package["SPDXID"] in contained
                   for package in told["packages"]):
            yield f"{name} is bundled and not told"


def check_contents(sbom, package_needs):
    told = json.loads(sbom.read_text())
    manifest = json.loads((SOURCES / "clients/web/package.json").read_text())
    lock = json.loads((SOURCES / "clients/web/package-lock.json").read_text())["packages"]
    npm = {name: lock[f"node_modules/{name}"]["version"] for name in manifest["dependencies"]}
    found = list(wrong_with(told, package_needs, npm))
    assert not found, found
    compiled = {relation["relatedSpdxElement"] for relation in told["relationships"]
                if relation["relationshipType"] == "STATIC_LINK"}
    assert {"SPDXRef-deb-libboost1.81-dev", "SPDXRef-deb-nlohmann-json3-dev", "SPDXRef-deb-libcli11-dev"} <= compiled
    # Each of these is a mistake that must be seen.
    for plant in (lambda one: one.pop("documentNamespace"), lambda one: one["packages"].pop(),
                  lambda one: one["packages"][0].pop("licenseDeclared"),
                  lambda one: one.update(relationships=[relation for relation in one["relationships"]
                                                        if "libssl3" not in relation["relatedSpdxElement"]])):
        broken = copy.deepcopy(told)
        plant(broken)
        assert list(wrong_with(broken, package_needs, npm)), "a planted mistake was not seen"
    print(f"sbom: {len(told['packages'])} packages, {len(told['relationships'])} relationships")


# --- The packages

def check_installation(folder):
    run("cmake", "--install", BUILD, "--prefix", "/usr", "--strip", env={"DESTDIR": str(folder)})
    assert files_below(folder) == sorted(WHERE["triquetra-server"] + WHERE["triquetra-client"]), files_below(folder)
    unit = (folder / "usr/lib/systemd/system/triquetrad.service").read_text()
    assert "ExecStart=/usr/sbin/triquetrad --config /etc/triquetra/triquetrad.conf\n" in unit, unit
    settings = folder / "etc/triquetra/triquetrad.conf"
    assert 'data="/var/lib/triquetra"' in run(folder / "usr/sbin/triquetrad", "--config", settings, "--print-config")
    local = folder / "local"
    run("cmake", "--install", BUILD, "--prefix", local, "--component", "server")
    unit = (local / "lib/systemd/system/triquetrad.service").read_text()
    assert f"ExecStart={local}/sbin/triquetrad --config {local}/etc/triquetra/triquetrad.conf\n" in unit, unit
    assert gzip.open(local / "share/man/man8/triquetrad.8.gz").read().startswith(b".TH TRIQUETRAD 8")


def make_packages(folder):
    # In the same place each time: what packs writes its folder's name nowhere, and this holds that.
    shutil.rmtree(folder, ignore_errors=True)
    run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder)
    return sorted(folder.glob("*.deb"))


def check_packages(folder):
    packages = make_packages(BUILD / "packages")  # which deb_test installs
    again = make_packages(folder / "another")
    assert [one.name.split("_")[0] for one in packages] == ["triquetra-client", "triquetra-server"], packages
    for one, other in zip(packages, again, strict=True):
        assert one.read_bytes() == other.read_bytes(), f"{one.name} is not the same twice"
        name = one.name.split("_")[0]
        listed = run("dpkg-deb", "--contents", one)
        files = sorted(line.split()[5].removeprefix("./") for line in listed.splitlines() if line[0] != "d")
        assert files == WHERE[name], files
        assert all(line.split()[1] == "root/root" for line in listed.splitlines()), listed
    said = run("lintian", "--allow-root", "--fail-on", "error", "--tag-display-limit", "0", *packages)
    print(said, end="")
    needs = {re.match(r"\s*([a-z0-9.+-]+)", need)[1]
             for one in packages for need in run("dpkg-deb", "--field", one, "Depends").split(",")}
    print("packages:", *(f"{one.name} {one.stat().st_size // 1000} kB" for one in packages))
    # Some are names that a package provides.
    told = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\n", *needs], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False).stdout
    return set(told.split()) - {"adduser", "init-system-helpers"}


def main():
    sbom = BUILD / "packaging/sbom.spdx.json"
    sbom.parent.mkdir(exist_ok=True)
    run(SOURCES / "packaging/sbom", BUILD, sbom)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_installation(folder / "root")
        check_contents(sbom, check_packages(folder))


if __name__ == "__main__":
    main()
