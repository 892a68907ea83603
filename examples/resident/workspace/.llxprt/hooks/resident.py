"""Runs a function for each event: answer_events(handle). `handle` receives the event as a dict, and returns None or a dict with the answer
in "output" (or "stdout"), "exitCode" (2 denies) and "stderr". Works as a resident hook ("mode": "resident") and with a process for each
event. What `handle` prints goes to stderr."""
import json, os, sys, traceback

def answer_events(handle):
    answers, sys.stdout = sys.stdout, sys.stderr
    def answer(event):
        try:
            return handle(event) or {}
        except Exception:
            return {"exitCode": 1, "stderr": traceback.format_exc()}
    if os.environ.get("TENTERHOOK_MODE") == "resident":
        for line in sys.stdin:
            question = json.loads(line)
            print(json.dumps({"id": question["id"], **answer(question["input"])}), file=answers, flush=True)
    else:
        said = answer(json.load(sys.stdin))
        answers.write(said["stdout"] if "stdout" in said else json.dumps(said["output"]) if "output" in said else "")
        sys.stderr.write(said.get("stderr", ""))
        answers.flush()
        sys.exit(said.get("exitCode", 0))
