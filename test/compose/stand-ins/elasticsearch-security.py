"""Forwards port 9200 to 9201 for requests with the password of the user `elastic`."""

import base64
import http.client
import http.server
import os

EXPECTED = "Basic " + base64.b64encode(b"elastic:" + os.environ["ELASTIC_PASSWORD"].encode()).decode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def forward(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.headers.get("authorization") != EXPECTED:
            return self.reply(401, [("www-authenticate", "Basic")], b"{}")
        upstream = http.client.HTTPConnection("127.0.0.1", 9201)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("authorization", "host")}
        try:
            upstream.request(self.command, self.path, body, headers)
            response = upstream.getresponse()
            self.reply(response.status, response.getheaders(), response.read())
        except OSError:
            self.reply(503, [], b"{}")
        finally:
            upstream.close()

    def reply(self, status, headers, body):
        self.send_response(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = forward


http.server.ThreadingHTTPServer(("0.0.0.0", 9200), Handler).serve_forever()
