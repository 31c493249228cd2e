"""Serves the embedding model all-MiniLM-L6-v2 over OpenAI's embeddings API: server.py MODEL TOKENIZER PORT

MODEL is an ONNX file, TOKENIZER its tokenizer.json. A request with few texts is a query, for which somebody waits. The texts
of other requests are embedded by processes in the idle class of the scheduler, so that all other work goes before.
"""

import http.server
import json
import multiprocessing.connection
import os
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, TimeoutError

import numpy
import onnxruntime
import tokenizers

MAX_INPUT_TOKENS = 256
MAX_INPUT_CHARS = 16_384
MAX_QUERY_TEXTS = 4
# Short texts are faster together; one thread is as fast with long ones alone.
MAX_SLICE_TEXTS = 16
MAX_SLICE_CHARS = 400
# Two processes are faster than two threads of one, of which each waits for the other.
PROCESSES = min(2, os.cpu_count() or 1)
# Busy processors leave almost nothing to the idle class. After this time for a slice, this process does the work for a while.
IDLE_SECONDS = 1
STEADY_SECONDS = 10


class Model:
    def __init__(self, model, tokenizer, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # Spinning threads would take the processors from other work.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
        self.inputs = {each.name for each in self.session.get_inputs()}
        self.tokenizer = tokenizers.Tokenizer.from_file(tokenizer)
        self.tokenizer.enable_truncation(MAX_INPUT_TOKENS)
        self.tokenizer.enable_padding()

    def embed(self, texts):
        """A unit vector for each text, and the number of tokens read."""
        encoded = self.tokenizer.encode_batch(texts)
        mask = numpy.array([each.attention_mask for each in encoded], numpy.int64)
        ids = numpy.array([each.ids for each in encoded], numpy.int64)
        values = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        [states, *_] = self.session.run(None, {name: values[name] for name in self.inputs})
        sums = (states * mask[:, :, None]).sum(1)
        return sums / numpy.linalg.norm(sums, axis=1, keepdims=True), int(mask.sum())


def start_idle(*files):
    """Prepares a process of the pool, which ends with its parent."""
    global idle_model
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)
    threading.Thread(target=end_with_parent, daemon=True).start()
    idle_model = Model(*files, threads=1)


def end_with_parent():
    multiprocessing.connection.wait([multiprocessing.parent_process().sentinel])
    os._exit(0)


def embed_idle(texts):
    return idle_model.embed(texts)


class Embedder:
    def __init__(self, *files):
        self.model = Model(*files, threads=PROCESSES)
        self.queries = threading.Lock()
        self.batches = threading.Lock()
        self.steady_until = 0
        context = multiprocessing.get_context("spawn")
        self.pool = ProcessPoolExecutor(PROCESSES, context, start_idle, files)
        # They load the model before the first batch comes.
        for _ in range(PROCESSES):
            self.pool.submit(embed_idle, [""])

    def embed(self, texts):
        if len(texts) <= MAX_QUERY_TEXTS:
            return self.embed_now(texts)
        vectors, tokens = [None] * len(texts), 0
        slices = list(cut_slices(texts))
        with self.batches:
            futures = [self.pool.submit(embed_idle, [texts[i] for i in each]) for each in slices]
            for each, future in zip(slices, futures):
                made, read = self.take(future, [texts[i] for i in each])
                tokens += read
                for i, vector in zip(each, made):
                    vectors[i] = vector
        return vectors, tokens

    def take(self, future, texts):
        try:
            return future.result(IDLE_SECONDS if time.monotonic() > self.steady_until else 0)
        except TimeoutError:
            if time.monotonic() > self.steady_until:
                self.steady_until = time.monotonic() + STEADY_SECONDS
            future.cancel()
            return self.embed_now(texts)

    def embed_now(self, texts):
        with self.queries:
            return self.model.embed(texts)


def cut_slices(texts):
    """Indexes of texts of about the same length, which need little padding."""
    slice, chars = [], 0
    for i in sorted(range(len(texts)), key=lambda i: len(texts[i])):
        chars += len(texts[i])
        if slice and (len(slice) == MAX_SLICE_TEXTS or chars > MAX_SLICE_CHARS):
            yield slice
            slice, chars = [], len(texts[i])
        slice.append(i)
    yield slice


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body leave in one packet each, without waiting for an acknowledgement.
    disable_nagle_algorithm = True

    def do_GET(self):
        self.reply(200, {"object": "list", "data": []}) if self.path == "/v1/models" else self.refuse(404, "no such route")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path != "/v1/embeddings":
            return self.refuse(404, "no such route")
        try:
            request = json.loads(body)
            given = request["input"]
            texts = [text[:MAX_INPUT_CHARS] for text in ([given] if isinstance(given, str) else given)]
            if not texts:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            return self.refuse(400, "input must be a text or a list of texts")
        vectors, tokens = self.server.embedder.embed(texts)
        data = [{"object": "embedding", "index": i, "embedding": vector.tolist()} for i, vector in enumerate(vectors)]
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        self.reply(200, {"object": "list", "model": request.get("model"), "data": data, "usage": usage})

    def refuse(self, status, message):
        self.reply(status, {"error": {"message": message, "type": "invalid_request_error"}})

    def reply(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    [model, tokenizer, port] = sys.argv[1:]
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    server = Server(("127.0.0.1", int(port)), Handler)
    server.embedder = Embedder(model, tokenizer)
    server.serve_forever()
