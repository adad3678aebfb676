"""A proxy between a push and the server that behaves like a bad network.

  with Proxy(port, at=3, act=Proxy.cut) as proxy:        cuts the connection at the client's third piece
  with Proxy(port, change=Twice(3)) as proxy:            sends the third piece twice
  with Proxy(port, doubled=True) as proxy:               sends everything on a second connection too
"""

import random
import socket
import threading
import time


class Proxy:
    """Passes bytes between clients and the server, and calls `act(pair)` before client piece number `at`.

    `change(number, data)` gives the pieces to send in the place of the client's piece of that number, [] to keep it
    back; what is left of it is asked for with (None, b"") when the client is silent.
    """

    QUIET = 0.3  # seconds after which a client is taken to wait for an answer

    def __init__(self, port, at=None, act=None, change=None, doubled=False, delay=0.0):
        self.target, self.at, self.act, self.change, self.doubled, self.delay = port, at, act, change, doubled, delay
        self.pieces = 0
        self.connections = 0
        self.acted = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.threads = []
        self.forwarding = []
        self.sockets = []
        self.spawn(self.accept)

    def spawn(self, function, *arguments):
        thread = threading.Thread(target=function, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()
        return thread

    def settled(self, patience=90):
        """Call it when the client has ended. Waits until all it sent is passed on and `act` has returned. True if `act` was called."""
        for thread in list(self.forwarding):
            thread.join(patience)
            assert not thread.is_alive(), "a connection is still open"
        return self.acted.is_set()

    def reach(self):
        server = socket.create_connection(("127.0.0.1", self.target), timeout=30)
        server.settimeout(None)
        self.sockets.append(server)
        return server

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.sockets.append(client)
            try:
                server = self.reach()
                shadow = self.reach() if self.doubled else None
            except OSError:
                client.close()
                continue
            self.connections += 1
            pair = (client, server)
            self.forwarding.append(self.spawn(self.forward, client, server, pair, shadow))
            self.spawn(self.give_back, server, client, pair)
            if shadow:
                self.spawn(self.swallow, shadow)

    def forward(self, source, sink, pair, shadow):
        try:
            while True:
                source.settimeout(self.QUIET if self.change else None)
                try:
                    data = source.recv(16384)
                except TimeoutError:
                    for piece in self.change(None, b""):
                        sink.sendall(piece)
                    continue
                if not data:
                    break
                self.pieces += 1
                if self.pieces == self.at:
                    self.acted.set()
                    self.act(pair)
                if self.delay:
                    time.sleep(random.random() * self.delay)
                for piece in self.change(self.pieces, data) if self.change else [data]:
                    sink.sendall(piece)
                if shadow:
                    try:
                        shadow.sendall(data)
                    except OSError:
                        pass
        except OSError:
            pass
        self.cut(pair + ((shadow,) if shadow else ()))

    def give_back(self, source, sink, pair):
        try:
            while data := source.recv(16384):
                if self.delay:
                    time.sleep(random.random() * self.delay)
                sink.sendall(data)
        except OSError:
            pass
        self.cut(pair)

    @staticmethod
    def swallow(shadow):
        try:
            while shadow.recv(16384):
                pass
        except OSError:
            pass

    @staticmethod
    def cut(ends):
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.cut(self.sockets)
        for end in self.sockets:
            end.close()


class Twice:
    """Sends piece number `at` twice."""

    def __init__(self, at):
        self.at, self.done = at, False

    def __call__(self, number, data):
        if number != self.at:
            return [data] if data else []
        self.done = True
        return [data, data]


class Swapped:
    """Swaps piece number `at` with the next one, if the client sends another one before it waits for an answer."""

    def __init__(self, at):
        self.at, self.done, self.kept = at, False, []

    def __call__(self, number, data):
        if number == self.at:
            self.kept = [data]
            return []
        kept, self.kept = self.kept, []
        if kept and data:
            self.done = True
        return ([data] if data else []) + kept
