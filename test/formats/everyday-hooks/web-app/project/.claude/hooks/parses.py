import ast, json, os, sys

d = json.loads(sys.stdin.read())
path = d["tool_response"].get("filePath", "")
if not path.endswith(".py") or not os.path.exists(path):
    sys.exit()
try:
    ast.parse(open(path).read())
except SyntaxError as error:
    print(json.dumps({"decision": "block", "reason": f"{os.path.basename(path)} does not parse: line {error.lineno}"}))
