"""A server of files on this machine that can be told to misbehave, for tests of what fetches them."""

import http.server
import threading


class FileServer:
    """Serves `files` (path -> bytes). `requests`: (path, Range or None) of each. `rules`: path -> function of the handler
    that answers in its place, or returns False to let it be answered as usual."""

    def __init__(self, files, ranges=True, version=True):
        self.files, self.ranges, self.version = dict(files), ranges, version
        self.rules, self.requests = {}, []
        self.released = threading.Event()  # what waits for the end of the test
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.requests.append((self.path, self.headers.get("Range")))
                rule = server.rules.get(self.path)
                if rule is None or rule(self) is False:
                    server.answer(self)

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.http.server_address[1]}"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self):
        self.released.set()
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()

    def etag(self, path):
        return f'"{hash(self.files[path])}"'

    def answer(self, handler, sent=None):
        """The file, or the rest that was asked for; the connection ends after `sent` bytes of it."""
        whole = self.files.get(handler.path)
        if whole is None:
            handler.send_error(404)
            return
        asked = handler.headers.get("Range") if self.ranges else None
        if asked and handler.headers.get("If-Range", self.etag(handler.path)) != self.etag(handler.path):
            asked = None
        begin = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
        if asked and begin >= len(whole):
            handler.send_error(416)
            return
        body = whole[begin:]
        handler.send_response(206 if asked else 200)
        handler.send_header("Content-Length", str(len(body)))
        if asked:
            handler.send_header("Content-Range", f"bytes {begin}-{len(whole) - 1}/{len(whole)}")
        if self.version:
            handler.send_header("ETag", self.etag(handler.path))
        handler.end_headers()
        handler.wfile.write(body if sent is None else body[:sent])
        handler.wfile.flush()

    def cut_after(self, sent):
        """A rule: the next request gets `sent` bytes, then as usual."""
        lives = [True]

        def rule(handler):
            if not lives:
                return False
            lives.clear()
            self.answer(handler, sent)
            handler.close_connection = True
            return True

        return rule
