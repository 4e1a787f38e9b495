"""Services in processes of their own: started on ports that they keep, killed, started again."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass, field


@dataclass
class Service:
    """One service in a process of its own, on a port that it keeps over restarts."""

    name: str
    settings: dict[str, str]
    port: int
    process: subprocess.Popen[str] | None = None
    lines: list[str] = field(default_factory=list)
    ready: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FINDSPOT_")}
        section = f"FINDSPOT_{self.name.upper()}_"
        environment |= {section + name: value for name, value in self.settings.items()}
        environment[f"{section}PORT"] = str(self.port)
        self.ready.clear()
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"findspot_{self.name}"],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._follow, args=(self.process,), daemon=True).start()
        assert self.ready.wait(60), "".join(self.lines[-20:])

    def _follow(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            self.lines.append(line)
            if re.search(r"listens on", line):
                self.ready.set()
        process.stderr.close()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
