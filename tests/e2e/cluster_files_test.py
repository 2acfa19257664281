"""docker/cluster: what compose.yaml and kubernetes.yaml name must be there, the servers must take the settings that they give,
and HAProxy must do with haproxy.cfg what its comments say. Each check of a file is tried on a broken one.

Usage: cluster_files_test.py TRIQUETRAD SOURCE_DIR
"""
import collections
import contextlib
import http.client
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

import yaml

import cluster
import seed
import triquetrad

SERVER, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
FOLDER = ROOT / "docker/cluster"
seed.take()


def settings_problem(variables):
    """Why a server would not start with these, or nothing."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRIQUETRA_")}
    done = subprocess.run([SERVER, "--check-config"], env={**environment, **variables}, capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else None


def compose_problems(text):
    text = re.sub(r"\$\{(\w+):\?\}", "a-password", text)  # from the environment
    services = yaml.safe_load(text)["services"]
    balanced = re.findall(r"^    server (\S+) (\S+):(\d+)( track servers/\1)?$", (FOLDER / "haproxy.cfg").read_text(), re.MULTILINE)
    ours = {name: service for name, service in services.items() if service.get("image") == "triquetra"}
    if {(name, name, "8080", track) for name in ours for track in ("", f" track servers/{name}")} != set(balanced):
        yield f"HAProxy sends people to {balanced}, and there are {list(ours)}"
    if f'EXPOSE {balanced[0][2]}' not in (ROOT / "docker/Dockerfile").read_text():
        yield "HAProxy's port is not the image's"
    for name, service in services.items():
        for needed in service.get("depends_on", []):
            if needed not in services:
                yield f"{name} depends on {needed}, which is not there"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            # The secret is made by whoever starts it.
            if source.startswith("./") and source != "./link-secret" and not (FOLDER / source).is_file():
                yield f"{name} mounts {source}, which is not there"
            if not source.startswith("./") and source not in yaml.safe_load(text)["volumes"]:
                yield f"{name} mounts {source}, which nobody declares"
        if "build" in service and not (FOLDER / service["build"]["context"] / service["build"]["dockerfile"]).is_file():
            yield f"{name} is built from nothing"
    for name, service in ours.items():
        environment = service["environment"]
        problem = settings_problem(environment)
        if problem:
            yield f"{name} would not start: {problem}"
        if environment["TRIQUETRA_LINK_ADDRESS"].split(":")[0] != name:
            yield f"others would not find {name}"
        if environment["TRIQUETRA_LINK_SECRET_FILE"] not in str(service["volumes"]):
            yield f"{name} has no secret"
        for host in re.search(r"@([^/]+)/", environment["TRIQUETRA_STORE"])[1].split(","):
            if host not in services:
                yield f"{name} asks {host}, which is not there"
        if not service["read_only"] or service["cap_drop"] != ["ALL"]:
            yield f"{name} may do more than it must"


def kubernetes_problems(text):
    documents = {document["kind"] + "/" + document["metadata"]["name"]: document for document in yaml.safe_load_all(text)}
    fleet = documents["StatefulSet/triquetra"]["spec"]
    pod, labels = fleet["template"]["spec"], fleet["template"]["metadata"]["labels"]
    container = pod["containers"][0]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for name, document in documents.items():
        chosen = document["spec"]["selector"]
        if document["apiVersion"] != {"Service": "v1", "PodDisruptionBudget": "policy/v1", "StatefulSet": "apps/v1"}[document["kind"]]:
            yield f"{name} is of another version"
        if chosen.get("matchLabels", chosen) != labels:
            yield f"{name} is not about the servers"
        if document["kind"] == "Service":
            for port in document["spec"]["ports"]:
                if port.get("targetPort", port["port"]) not in (*ports, *ports.values()):
                    yield f"{name} leads to no port"
    if f"Service/{fleet['serviceName']}" not in documents or documents[f"Service/{fleet['serviceName']}"]["spec"]["clusterIP"] != "None":
        yield "the servers have no names"
    known = {"metadata.name": "triquetra-0", "store": "postgresql://triquetra@db/triquetra"}
    variables = {}
    for variable in container["env"]:
        source = variable.get("valueFrom", {})
        value = variable.get("value") or known[source.get("fieldRef", {}).get("fieldPath") or source["secretKeyRef"]["key"]]
        variables[variable["name"]] = re.sub(r"\$\((\w+)\)", lambda found: variables[found[1]], value)
    problem = settings_problem(variables)
    if problem:
        yield f"a pod would not start: {problem}"
    host, port = variables["TRIQUETRA_LINK_ADDRESS"].split(":")
    if host != f"triquetra-0.{fleet['serviceName']}" or int(port) != ports["link"]:
        yield "others would not find a server"
    if int(variables["TRIQUETRA_METRICS_LISTEN"].split(":")[1]) != ports["metrics"]:
        yield "metrics are elsewhere"
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    files = {f"{mounts[volume['name']]}/{item['path']}" for volume in pod["volumes"] for item in volume["secret"]["items"]}
    if variables["TRIQUETRA_LINK_SECRET_FILE"] not in files:
        yield "the secret is not mounted"
    probes = {kind: container[kind]["httpGet"] for kind in ("startupProbe", "livenessProbe", "readinessProbe")}
    if [probe["path"] for probe in probes.values()] != ["/healthz", "/healthz", "/readyz"]:
        yield "a probe asks something else"
    if any(ports.get(probe["port"]) != 8080 for probe in probes.values()):
        yield "a probe asks elsewhere"
    if pod["terminationGracePeriodSeconds"] <= 10:
        yield "who says goodbye is cut short"
    if pod.get("enableServiceLinks") is not False:
        yield "variables of Kubernetes would keep the server from starting"
    users = re.search(r"^USER (\d+):", (ROOT / "docker/Dockerfile").read_text(), re.MULTILINE)
    if pod["securityContext"]["runAsUser"] != int(users[1]):
        yield "it runs as somebody else than the image says"


def planted(problems, text, *mistakes):
    assert not list(problems(text)), list(problems(text))
    for right, wrong in mistakes:
        broken = text.replace(right, wrong)
        assert broken != text and list(problems(broken)), f"a planted mistake was not seen: {wrong}"
    return len(mistakes)


def check_files():
    tried = planted(compose_problems, (FOLDER / "compose.yaml").read_text(),
                    ("TRIQUETRA_NODE: triquetra-2", "TRIQUETRA_NOD: triquetra-2"), ("  triquetra-3:\n", "  triquetra-4:\n"),
                    ("@primary,standby", "@primary,second"), ("./haproxy.cfg:", "./haproxy.conf:"), ("triquetra-2:7400", "triquetra-1:7400"),
                    ("read_only: true", "read_only: false"), ("triquetra-1:7400", "triquetra-1"))
    tried += planted(kubernetes_problems, (FOLDER / "kubernetes.yaml").read_text(),
                     ("TRIQUETRA_ALLOW_HOST", "TRIQUETRA_ALLOW_HOSTS"), ("path: /readyz", "path: /ready"), (".triquetra-link:7400", ".link:7400"),
                     ("targetPort: http", "targetPort: web"), ("PeriodSeconds: 30", "PeriodSeconds: 5"), ("clusterIP: None", "clusterIP: 1"),
                     ("  enableServiceLinks: false\n", ""), ("apiVersion: policy/v1", "apiVersion: policy/v1beta1"),
                     ("/run/secrets/triquetra/link-secret", "/run/secrets/link-secret"), ("runAsUser: 10001", "runAsUser: 1000"))
    print(f"compose.yaml and kubernetes.yaml name what is there; {tried} planted mistakes seen")


class Answers(http.server.BaseHTTPRequestHandler):
    """A server that says who it is, and what it was told of whoever asks."""

    def do_GET(self):
        ready = self.path != "/readyz" or self.server.is_ready
        body = f"{self.server.server_port} {self.headers.get_all('X-Forwarded-For')}".encode()
        self.send_response(200 if ready else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def get(connection, path, **headers):
    connection.request("GET", path, headers=headers)
    return connection.getresponse().read().decode()


def balancing(base):
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) for _ in range(3)]
    for server in servers:
        server.is_ready = True
        server.handle_error = lambda *_: None  # whoever was cut off
        threading.Thread(target=server.serve_forever, daemon=True).start()
    balancer = cluster.Balancer(base, "127.0.0.1", triquetrad.free_port(), triquetrad.free_port(),
                                [(f"triquetra-{i + 1}", server.server_port) for i, server in enumerate(servers)])
    balancer.start()
    try:
        people, operators = (http.client.HTTPConnection("127.0.0.1", port, timeout=10) for port in (balancer.port, balancer.operators_port))

        def where(path):
            return get(people, path).split()[0]

        codes = [f"R{chr(65 + i // 10)}{chr(65 + i % 10)}" for i in range(60)]
        first = {code: where(f"/ws/{code}") for code in codes}
        assert first == {code: where(f"/ws/{code}") for code in codes}, "a room moves although nothing has happened"
        spread = collections.Counter(first.values())
        assert len(spread) == 3 and min(spread.values()) >= 8, spread
        assert len({where("/") for _ in range(12)}) == 3, "who names no room goes in turn"
        assert "['127.0.0.1']" in get(people, "/", **{"X-Forwarded-For": "192.0.2.1"}), "a client says who it is"
        assert "haproxy_server_status" in get(operators, "/metrics")
        # One says goodbye: its rooms go elsewhere, and no others.
        gone = servers[0]
        gone.is_ready = False
        cluster.until("the balancer to notice", lambda: str(gone.server_port) not in {where("/") for _ in range(9)})
        then = {code: where(f"/ws/{code}") for code in codes}
        assert all(then[code] == first[code] for code in codes if first[code] != str(gone.server_port)), "rooms of others have moved"
        # An address has only so many connections at all of them together.
        held = []
        with contextlib.suppress(ConnectionError, http.client.HTTPException):
            for _ in range(600):
                held.append(http.client.HTTPConnection("127.0.0.1", balancer.port, timeout=10))
                held[-1].request("GET", "/")
                held[-1].getresponse().read()
        # Those that this test has asked by, and closed, may not be forgotten yet.
        assert 100 < len(held) <= 501, len(held)
        for connection in held:
            connection.close()
    finally:
        balancer.end()
        for server in servers:
            server.shutdown()
    print(f"HAProxy: rooms stay together, {dict(spread)} of {len(codes)}; an address got {len(held) - 1} connections")


check_files()
with tempfile.TemporaryDirectory() as base:
    balancing(base)
