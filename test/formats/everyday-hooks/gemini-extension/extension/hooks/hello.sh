echo "Welcome, $(basename "$GEMINI_CWD")"
