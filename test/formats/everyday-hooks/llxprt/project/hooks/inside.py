import json, os, sys

path = json.load(sys.stdin)["tool_input"]["path"]
project = os.environ["LLXPRT_PROJECT_DIR"]
if not os.path.abspath(path).startswith(project + os.sep):
    print(f"{path} is outside", file=sys.stderr)
    sys.exit(2)
