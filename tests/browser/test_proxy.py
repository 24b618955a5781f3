"""The README's way to serve a class behind nginx with TLS, as it stands there but for ports and certificate."""

import contextlib
import re
import subprocess
import time

from playwright.sync_api import expect

from tests.browser.conftest import FLAGS, PATIENCE, ROOT, free_port, needs, running_server

NAME = "roam.example.org"
README = (ROOT / "README.md").read_text(encoding="utf-8")


@contextlib.contextmanager
def proxy(directory, behind: int):
    """nginx with the README's configuration before the server at a port; yields its own port."""
    nginx, openssl, port = needs("nginx"), needs("openssl"), free_port()
    key, certificate = directory / "roam.key", directory / "roam.pem"
    request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([openssl, *request, *files], check=True, capture_output=True)
    (block,) = re.findall(r"```nginx\n(.*?)```", README, re.DOTALL)
    for ours, theirs in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/roam.pem", str(certificate)),
        ("/etc/ssl/roam.key", str(key)),
        ("127.0.0.1:8501", f"127.0.0.1:{behind}"),
    ):
        assert block.count(ours) == 1
        block = block.replace(ours, theirs)
    places = "".join(
        f"{kind}_temp_path {directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    settings = directory / "nginx.conf"
    settings.write_text(
        f"daemon off; pid {directory}/pid; error_log {directory}/error.log; worker_processes 1; events {{}}\n"
        f"http {{ access_log off; {places}\n{block}}}\n",
        encoding="utf-8",
    )
    process = subprocess.Popen([nginx, "-c", str(settings), "-p", str(directory)])
    try:
        time.sleep(0.5)
        assert process.poll() is None, "nginx ended"
        yield port
    finally:
        process.terminate()
        process.wait(20)


def options() -> list[str]:
    """What the README adds to `streamlit run app.py` for a server behind a proxy."""
    (line,) = re.findall(r"`streamlit run app.py ([^`]*--browser.serverAddress [^`]*)`", README)
    return line.split()


def test_a_page_behind_nginx_with_tls_computes(chromium, tmp_path):
    with running_server(*options()) as (address, _), proxy(tmp_path, int(address.rsplit(":", 1)[1])) as port:
        flags = [*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
        browser = chromium.browser_type.launch(executable_path=needs("chromium"), args=flags)
        page = browser.new_context(ignore_https_errors=True).new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"https://{NAME}:{port}/simulation-lab?horizon=200&k=100&runs=30")
        expect(page.get_by_text("30 of 30 runs")).to_be_visible()
        page.get_by_role("slider").first.press("ArrowRight")
        page.wait_for_url(re.compile("d=6"))
        browser.close()
