"""A PostgreSQL of a test's or bench's own: in a temporary folder, reached by a socket in there, and gone with it. Runs as
nobody if the caller is root, who may not."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

PATIENCE_S = 60  # only a hang takes that long


class Cluster:
    def __init__(self, *settings):
        """`settings` are as postgresql.conf has them, such as "fsync=off"."""
        self.programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres")).parent
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="triquetra-pg-"))
        self.settings = [word for setting in ("listen_addresses=", *settings) for word in ("-c", setting)]
        # It ends with us.
        self.as_nobody = ["setpriv", "--pdeathsig", "QUIT"]
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
            self.as_nobody += ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        self.process = None
        subprocess.run([*self.as_nobody, self.programs / "initdb", "--pgdata", self.folder / "data", "--auth", "trust",
                        "--username", "triquetra", "--encoding", "UTF8", "--locale", "C", "--no-sync"],
                       check=True, stdout=subprocess.PIPE, cwd=self.folder)
        self.start()
        self.sql("postgres", "CREATE DATABASE games")
        self.url = f"postgresql:///games?host={self.folder}&user=triquetra"

    def start(self):
        """A postmaster refuses while children of the last one are still there: tried again until then."""
        until = time.monotonic() + PATIENCE_S
        while True:
            if self.process is None or self.process.poll() is not None:
                with open(self.folder / "log", "a") as log:
                    self.process = subprocess.Popen([*self.as_nobody, self.programs / "postgres", "-D", self.folder / "data",
                                                     "-k", self.folder, *self.settings], stdout=log, stderr=log, cwd=self.folder)
            if subprocess.run([self.programs / "pg_isready", "--quiet", "--host", self.folder]).returncode == 0:
                return
            assert time.monotonic() < until, (self.folder / "log").read_text()[-5000:]
            time.sleep(0.05)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def sql(self, database, text):
        return subprocess.run([self.programs / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--host", self.folder,
                               "--username", "triquetra", "--dbname", database, "--command", text],
                              check=True, stdout=subprocess.PIPE, text=True,
                              env=dict(os.environ, PGOPTIONS="-c client_min_messages=warning")).stdout.strip()

    def pids(self):
        """The postmaster and its children."""
        parent = self.process.pid
        return [parent, *map(int, pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split())]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()  # waits for nobody who asks nothing
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
