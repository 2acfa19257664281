"""Builds the gym's library and puts it into the package. Needs what `scripts/install build` installs."""
import os
import pathlib
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

SOURCES = pathlib.Path(__file__).resolve().parents[2]
NAME = "libtriquetra_gym.so"


def built():
    """The library; the one that TRIQUETRA_GYM_LIBRARY names, if it does, is taken as it is."""
    given = os.environ.get("TRIQUETRA_GYM_LIBRARY")
    if given:
        return given
    folder = SOURCES / "build/gym"
    subprocess.run(["cmake", "-S", SOURCES, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_CXX_FLAGS_RELEASE=-O2", "-DTRIQUETRA_TESTS=OFF", "-DTRIQUETRA_WEB=off"], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "triquetra_gym"], check=True)
    return folder / "gym" / NAME


class BuildWithLibrary(build_py):
    """The package, and the library in it."""

    def run(self):
        super().run()
        folder = pathlib.Path(self.build_lib) / "triquetra"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(built(), folder / NAME)


class OfThisMachine(Distribution):
    """Not for every machine: there is a library in it."""

    def has_ext_modules(self):
        return True


setup(cmdclass={"build_py": BuildWithLibrary}, distclass=OfThisMachine)
