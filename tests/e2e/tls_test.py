"""TLS: in the server itself, and before it the nginx and the Caddy of docker/proxy, below a path.

Usage: tls_test.py TRIQUETRAD TRIQUETRA PROXY_DIR
"""
import asyncio
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

import websockets

import seed
from triquetrad import Server, free_port

SERVER, CLIENT, PROXIES = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
PATIENCE_S = 60
NAME = "games.example.org"
seed.take()


def certificate(folder, name, serial):
    """A certificate that signs itself: (certificate, key, its serial number)."""
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", key, "-out", cert, "-days", "2", "-subj", f"/CN={NAME}", "-set_serial", str(serial),
                    "-addext", f"subjectAltName=DNS:{NAME},DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
    return cert, key


def trusting(cert):
    return ssl.create_default_context(cafile=str(cert))


def weak_suites():
    context = ssl.create_default_context()
    context.set_ciphers("ALL:@SECLEVEL=0")
    return context.get_ciphers()


def started(*flags):
    return Server(SERVER, "--log-level", "debug", *flags, patience_s=PATIENCE_S).start()


def get(port, path, context=None, headers=()):
    """(status, headers and body) over TLS if there is a context."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as raw:
        peer = context.wrap_socket(raw, server_hostname=NAME) if context else raw
        lines = [f"GET {path} HTTP/1.1", f"Host: {NAME}:{port}", "Connection: close", *headers, "", ""]
        peer.sendall("\r\n".join(lines).encode())
        answer = b""
        while piece := peer.recv(65536):
            answer += piece
    return int(answer.split(b" ")[1]), answer.decode()


def serial_of(port, cert):
    with socket.create_connection(("127.0.0.1", port)) as raw:
        with trusting(cert).wrap_socket(raw, server_hostname=NAME) as peer:
            return int(peer.getpeercert()["serialNumber"], 16)


async def say_hello(port, path, cert, origin=None, forwarded=None):
    """Plays a hello over wss; the welcome."""
    async with websockets.connect(
            f"wss://{NAME}:{port}{path}", host="127.0.0.1", port=port, ssl=trusting(cert), compression=None, origin=origin,
            extra_headers={"X-Forwarded-For": forwarded} if forwarded else {}) as ws:
        await ws.send(json.dumps({"type": "hello", "id": "1", "protocol": 1, "name": "Ada"}))
        return json.loads(await asyncio.wait_for(ws.recv(), PATIENCE_S))


async def refused(port, path, cert, origin):
    try:
        await say_hello(port, path, cert, origin)
    except websockets.InvalidStatusCode as error:
        return error.status_code
    return None


async def in_the_server(folder):
    cert, key = certificate(folder, "first", 1001)
    server = started("--tls-certificate", cert, "--tls-key", key, "--allow-host", NAME)
    port = server.port
    assert (await say_hello(port, "/ws", cert))["player"] == "Ada"
    status, answer = get(port, "/healthz", trusting(cert))
    assert status == 200 and "Strict-Transport-Security" in answer
    # The terminal client trusts what the system trusts, and nothing else.
    rooms = [CLIENT, "rooms", "--json", "--server", f"wss://localhost:{port}"]
    home = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
    told = subprocess.run(rooms, env={**home, "SSL_CERT_FILE": str(cert)}, capture_output=True, text=True, timeout=PATIENCE_S)
    assert told.returncode == 0 and '"type":"lobby"' in told.stdout, told
    told = subprocess.run(rooms, env=home, capture_output=True, text=True, timeout=PATIENCE_S)
    assert told.returncode != 0, "a certificate that nobody vouches for"
    assert subprocess.run([SERVER, "--healthcheck", "--port", str(port), "--tls-certificate", cert, "--tls-key",
                           key]).returncode == 0
    for version, works in ((ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True), (ssl.TLSVersion.TLSv1_3, True)):
        context = trusting(cert)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
        try:
            get(port, "/healthz", context)
            assert works, version
        except (ssl.SSLError, ConnectionError):
            assert not works, version
    # At 1.2 only what keeps an old conversation secret when the key is known, and seals what it hides.
    offered = set()
    for suite in trusting(cert).get_ciphers() + weak_suites():
        context = trusting(cert)
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        try:
            context.set_ciphers(f"{suite['name']}:@SECLEVEL=0")
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as raw:
                with context.wrap_socket(raw, server_hostname=NAME) as peer:
                    offered.add(peer.cipher()[0])
        except (ssl.SSLError, ConnectionError):
            pass
    assert offered == {"ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-AES128-GCM-SHA256",
                       "ECDHE-ECDSA-CHACHA20-POLY1305"}, offered
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try:
            assert b"HTTP/1.1 200" not in plain.recv(4096), "plain HTTP at a TLS port"
        except ConnectionError:
            pass
    # A peer that never ends its handshake is nobody's concern.
    silent = socket.create_connection(("127.0.0.1", port))
    assert get(port, "/healthz", trusting(cert))[0] == 200

    # New files, then wrong files; who is connected stays so.
    async with websockets.connect(f"wss://localhost:{port}/ws", ssl=trusting(cert), compression=None) as kept:
        fresh, fresh_key = certificate(folder, "second", 2002)
        cert.write_bytes(fresh.read_bytes())
        key.write_bytes(fresh_key.read_bytes())
        server.process.send_signal(signal.SIGHUP)
        server.told("read the certificate again")
        assert serial_of(port, fresh) == 2002
        cert.write_text("rubbish")
        server.process.send_signal(signal.SIGHUP)
        server.told("stays as it was")
        assert serial_of(port, fresh) == 2002
        # A pipe that nobody writes into would hold up whoever opens it.
        cert.write_bytes(fresh.read_bytes())
        key.unlink()
        os.mkfifo(key)
        server.process.send_signal(signal.SIGHUP)
        server.told("--tls-key.*regular file")
        assert serial_of(port, fresh) == 2002
        await kept.send(json.dumps({"type": "hello", "id": "1", "protocol": 1}))
        assert json.loads(await asyncio.wait_for(kept.recv(), PATIENCE_S))["type"] == "welcome"
    silent.close()
    server.stop()
    print("TLS in the server, and its files read again")


def proxy_config(folder, name, port, behind, cert, key):
    """The page of the repository with this test's ports and files in it."""
    text = (PROXIES / name).read_text().replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    if name == "nginx.conf":
        text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
        text = re.sub(r"(ssl_certificate +)\S+;", rf"\g<1>{cert};", text)
        text = re.sub(r"(ssl_certificate_key +)\S+;", rf"\g<1>{key};", text)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
        text = (f"daemon off; pid {folder}/pid; error_log stderr;\nevents {{}}\n"
                f"http {{ access_log off;\n{paths}{text}}}\n")
    else:
        text = text.replace(f"{NAME} {{", f"https://{NAME}:{port} {{\n\tbind 127.0.0.1\n\ttls {cert} {key}")
        text = f"{{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system {folder}\n}}\n" + text
    path = folder / name
    path.write_text(text)
    return path


async def behind(proxy, folder, cert, key):
    server = started("--trusted-proxies", "127.0.0.1", "--allow-host", NAME)
    port = free_port()
    name = "nginx.conf" if proxy == "nginx" else "Caddyfile"
    config = proxy_config(folder, name, port, server.port, cert, key)
    words = [proxy, "-p", folder, "-c", config] if proxy == "nginx" else [proxy, "run", "--config", config, "--adapter",
                                                                          "caddyfile"]
    out = open(folder / "proxy.log", "w")
    process = subprocess.Popen([str(word) for word in words], stdout=out, stderr=out,
                               env={"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    try:
        deadline = time.time() + PATIENCE_S
        while True:
            assert process.poll() is None and time.time() < deadline, (folder / "proxy.log").read_text()
            try:
                if get(port, "/triquetra/healthz", trusting(cert))[0] == 200:
                    break
            except (ConnectionError, ssl.SSLError, IndexError):
                pass
            time.sleep(0.1)
        status, page = get(port, "/triquetra/", trusting(cert))
        assert status == 200 and "Triquetra" in page and "Strict-Transport-Security" in page
        # Whatever the page loads, it loads from below the path.
        assert not re.search(r'(?:src|href)="/', page), "an absolute path in the page"
        for asset in re.findall(r'(?:src|href)="\./(assets/[^"]+)"', page):
            assert get(port, f"/triquetra/{asset}", trusting(cert))[0] == 200, asset
        assert get(port, "/triquetra", trusting(cert))[0] in (301, 302)
        assert '"protocol":1' in get(port, "/triquetra/version", trusting(cert))[1]
        own = f"https://{NAME}:{port}"
        assert (await say_hello(port, "/triquetra/ws", cert, own))["player"] == "Ada"
        assert (await say_hello(port, "/triquetra/ws/BCDFGH", cert))["player"] == "Ada"
        assert await refused(port, "/triquetra/ws", cert, "https://evil.example") == 403
        # A client that lies about its address: the proxy says the truth.
        assert (await say_hello(port, "/triquetra/ws", cert, own, "198.51.100.7"))["player"] == "Ada"
        assert "198.51.100.7" not in server.text()
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
    server.stop()
    print("behind", proxy, "below a path")


async def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        await in_the_server(folder)
        cert, key = certificate(folder, "proxy", 3003)
        for proxy in ("nginx", "caddy"):
            (folder / proxy).mkdir()
            await behind(proxy, folder / proxy, cert, key)


asyncio.run(main())
