#!/bin/bash
cat > /dev/null
echo "Branch: $(sed 's#.*/##' .git/HEAD 2>/dev/null || true)"
