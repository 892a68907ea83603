import os, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../packages/tenterhook/adapters"))
from resident import answer_events

answer_events(lambda event: {"output": {}})
