lines=$(jq -r '.tool_response.llmContent' | wc -l)
if [ "$lines" -gt "$LIMIT" ]; then echo "More than $LIMIT lines of output"; fi
