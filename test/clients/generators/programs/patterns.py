import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    for pattern in json.load(file):
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(pattern) from error
