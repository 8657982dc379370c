"""The reference libraries' side of `npm run bench`: prints one line of JSON, or a line that says why not.

    reference.py scan FILE   PyTorch: min, max, mean, std, NaN, infinities, zeros and a 128-bin histogram on float32 copies
    reference.py list FILE   safetensors: name, dtype and shape of every tensor
    reference.py make-pt FILE TENSORS NUMBERS   torch.save of so many float32 tensors of so many numbers each
    reference.py list-pt FILE   torch.load(mmap=True, weights_only=True), then name, dtype and shape of every tensor
"""

import importlib
import json
import os
import sys
import time


def need(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed")
        sys.exit(0)


def best(work, rounds=3):
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def scan(path):
    torch = need("torch")
    safetensors = need("safetensors")
    need("safetensors.torch")
    torch.set_num_threads(os.cpu_count() or 1)
    with safetensors.safe_open(path, framework="pt") as file:
        tensor = file.get_tensor("w")
    piece = 16 * 1024 * 1024

    def audit():
        for start in range(0, tensor.numel(), piece):
            values = tensor[start : start + piece].float()
            values.min(), values.max(), values.mean(), values.std()
            values.isnan().sum(), values.isinf().sum(), (values == 0).sum()
            torch.histc(values, bins=128)

    seconds = best(audit)
    print(json.dumps({"seconds": seconds, "version": torch.__version__, "threads": torch.get_num_threads()}))


def listing(path):
    safetensors = need("safetensors")
    need("numpy")

    def run():
        with safetensors.safe_open(path, framework="np") as file:
            for name in file.keys():
                part = file.get_slice(name)
                part.get_dtype(), part.get_shape()

    print(json.dumps({"seconds": best(run), "version": safetensors.__version__}))


def make_pt(path, tensors, numbers):
    torch = need("torch")
    torch.save(
        {f"model.layers.{index % 80}.block.{index}.weight": torch.zeros(int(numbers)) for index in range(int(tensors))},
        path,
    )
    print(json.dumps({"version": torch.__version__}))


def listing_pt(path):
    torch = need("torch")

    def run():
        for tensor in torch.load(path, mmap=True, weights_only=True).values():
            tensor.dtype, tensor.shape

    print(json.dumps({"seconds": best(run), "version": torch.__version__}))


if __name__ == "__main__":
    commands = {"scan": scan, "list": listing, "make-pt": make_pt, "list-pt": listing_pt}
    commands[sys.argv[1]](*sys.argv[2:])
