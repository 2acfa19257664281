"""What a release hands out: what an installation puts where, the Debian packages of it without a word from lintian,
the list of what is inside, and the same bytes each time. The long form of the last is scripts/release --twice.

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
PROGRAMS = [BUILD / "server/triquetrad", BUILD / "clients/cli/triquetra"]
PART = ["triquetra_engine"]
WHERE = {
    "triquetra-server": """
        etc/triquetra/triquetrad.conf
        usr/lib/systemd/system/triquetrad.service
        usr/lib/systemd/system/triquetrad.socket
        usr/sbin/triquetrad
        usr/share/bash-completion/completions/triquetrad
        usr/share/doc/triquetra-server/HOSTING.md.gz
        usr/share/doc/triquetra-server/SECURITY.md.gz
        usr/share/doc/triquetra-server/VERSIONS.md.gz
        usr/share/doc/triquetra-server/CHANGELOG.md.gz
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
        usr/share/doc/triquetra-client/CHANGELOG.md.gz
        usr/share/doc/triquetra-client/changelog.gz
        usr/share/doc/triquetra-client/copyright
        usr/share/doc/triquetra-client/sbom.spdx.json
        usr/share/fish/vendor_completions.d/triquetra.fish
        usr/share/man/man1/triquetra.1.gz
        usr/share/zsh/vendor-completions/_triquetra""".split(),
}


def run(*words, **more):
    env = os.environ | more.pop("env", {})
    done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=600, env=env, **more)
    assert done.returncode == 0, f"{words} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


# --- What is inside

def packages_of(program):
    """Debian's packages of all that the loader gives to a program."""
    paths = re.findall(r"(/\S+) \(0x", run("ldd", program))
    assert len(paths) > 5, paths
    # A library is registered as it was before Debian 12 made /lib a link, or as it is now.
    told = [subprocess.run(["dpkg", "-S", path, f"/usr{path}", os.path.realpath(path)], text=True, check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout for path in paths]
    assert all(told), list(zip(paths, told))
    return {line.partition(":")[0] for lines in told for line in lines.splitlines()}


def wrong_with(told, loaded, npm):
    """What SPDX 2.3 asks for and is not there, and what is in the programs and is not told, or told and not there."""
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
    names = {package["SPDXID"]: package["name"] for package in told["packages"]}
    for relation in told["relationships"]:
        for end in ("spdxElementId", "relatedSpdxElement"):
            if relation[end] not in ids:
                yield f"{relation[end]} is not there"
    for program, packages in loaded.items():
        said = {names.get(relation["relatedSpdxElement"]) for relation in told["relationships"]
                if relation["spdxElementId"] == f"SPDXRef-{program}"
                and relation["relationshipType"] in ("DYNAMIC_LINK", "DEPENDS_ON")}
        if said != packages:
            yield f"{program} loads {packages}, and {said} is said"
    contained = {relation["relatedSpdxElement"] for relation in told["relationships"]
                 if relation["relationshipType"] == "CONTAINS"}
    for name, version in npm.items():
        if not any(package["name"] == name and package["versionInfo"] == version and package["SPDXID"] in contained
                   for package in told["packages"]):
            yield f"{name} is bundled and not told"


def check_contents(sbom, programs):
    told = json.loads(sbom.read_text())
    manifest = json.loads((SOURCES / "clients/web/package.json").read_text())
    lock = json.loads((SOURCES / "clients/web/package-lock.json").read_text())["packages"]
    npm = {name: lock[f"node_modules/{name}"]["version"] for name in manifest["dependencies"]}
    loaded = {program.name: packages_of(program) for program in programs}
    found = list(wrong_with(told, loaded, npm))
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
        assert list(wrong_with(broken, loaded, npm)), "a planted mistake was not seen"
    print(f"sbom: {len(told['packages'])} packages, {len(told['relationships'])} relationships")


# --- What is handed out

def check_installation(folder):
    run("cmake", "--install", BUILD, "--prefix", "/usr", "--strip", env={"DESTDIR": str(folder)})
    assert files_below(folder) == sorted(WHERE["triquetra-server"] + WHERE["triquetra-client"]), files_below(folder)
    unit = (folder / "usr/lib/systemd/system/triquetrad.service").read_text()
    assert "ExecStart=/usr/sbin/triquetrad --config /etc/triquetra/triquetrad.conf\n" in unit, unit
    settings = folder / "etc/triquetra/triquetrad.conf"
    assert 'data="/var/lib/triquetra"' in run(folder / "usr/sbin/triquetrad", "--config", settings, "--print-config")
    licences = (folder / "usr/share/doc/triquetra-server/copyright").read_text()
    assert licences.startswith((SOURCES / "LICENSE").read_text()) and "Jason Miller" in licences, licences
    local = folder / "local"
    run("cmake", "--install", BUILD, "--prefix", local, "--component", "server")
    unit = (local / "lib/systemd/system/triquetrad.service").read_text()
    assert f"ExecStart={local}/sbin/triquetrad --config {local}/etc/triquetra/triquetrad.conf\n" in unit, unit
    assert gzip.open(local / "share/man/man8/triquetrad.8.gz").read().startswith(b".TH TRIQUETRAD 8")


def check_packages(folder):
    version = re.search(r"project\(triquetra VERSION (\S+)", (SOURCES / "CMakeLists.txt").read_text())[1]
    packages = sorted(folder.glob("*.deb"))
    assert [one.name.split("_")[:2] for one in packages] == [["triquetra-client", version], ["triquetra-server", version]]
    for one in packages:
        listed = run("dpkg-deb", "--contents", one)
        files = sorted(line.split()[5].removeprefix("./") for line in listed.splitlines() if line[0] != "d")
        assert files == sorted(WHERE[one.name.split("_")[0]]), files
        assert all(line.split()[1] == "root/root" for line in listed.splitlines()), listed
    said = run("lintian", "--allow-root", "--fail-on", "error,warning", "--show-overrides", *packages)
    assert not said, said
    archive = next(folder.glob("*-linux-*.tar.gz"))
    inside = run("tar", "--list", "--file", archive).split()
    assert "./usr/local/bin/triquetra" in inside and "./usr/local/etc/triquetra/triquetrad.conf" in inside, inside
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=folder)
    assert len((folder / "SHA256SUMS").read_text().splitlines()) == len(files_below(folder)) - 1 == 5
    print("packages:", *(f"{one.name} {one.stat().st_size // 1000} kB" for one in packages))


def contents(folder):
    return {name: (folder / name).read_bytes() for name in files_below(folder)}


def check_packed_again(first, folder):
    """The same programs at another time, by another hand."""
    for program in PROGRAMS:
        program.touch()
    run(SOURCES / "scripts/release", "--from", BUILD, "--into", folder / "again", preexec_fn=lambda: os.umask(0o077))
    assert contents(first) == contents(folder / "again"), run("diff", "-rq", first, folder / "again")


def check_built_again(folder):
    """A part of the sources and the browser client as the release preset has them, in two folders."""
    listed = run("git", "-C", SOURCES, "ls-files", "-z").split("\0")[:-1]
    listed = [name for name in listed if (SOURCES / name).exists()]

    def made(place, *flags):
        sources = folder / place
        for name in listed:
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(SOURCES / name, sources / name)
            shutil.copymode(SOURCES / name, sources / name)
        for modules in ("clients/web/node_modules", "clients/web/tools/node/node_modules"):
            (sources / modules).symlink_to(SOURCES / modules)
        build = sources / "build"
        run("cmake", "--preset", "release", *flags, "-B", build, cwd=sources)
        run("cmake", "--build", build, "--target", *PART, env={"CCACHE_DISABLE": "1"})
        run(sources / "clients/web/tools/build", build / "web")
        return {name: data for name, data in contents(build).items() if name.endswith((".o", ".a", ".bin"))}

    first, second = made("one"), made("another/and/deeper")
    assert len(first) >= 3 and any(name.endswith(".bin") for name in first), list(first)
    assert first == second, [name for name in first if first[name] != second.get(name)]
    assert made("with/its/path", "-DCMAKE_CXX_FLAGS=-g") != first, "the name of a folder in an object must be seen"
    source = folder / "one/engine/rng.cpp"
    source.write_text(source.read_text() + "const char* planted = __TIME__;\n")
    done = subprocess.run(["cmake", "--build", folder / "one/build", "--target", *PART], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert done.returncode != 0 and "-Werror=date-time" in done.stdout, done.stdout
    print(f"{len(first)} files were built twice with the same bytes")


def main():
    packages = BUILD / "packages"  # which deb_test installs
    run(SOURCES / "scripts/release", "--from", BUILD, "--into", packages)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_installation(folder / "root")
        check_packages(packages)
        check_contents(next(packages.glob("*.spdx.json")), PROGRAMS)
        check_packed_again(packages, folder)
        check_built_again(folder)


if __name__ == "__main__":
    main()
