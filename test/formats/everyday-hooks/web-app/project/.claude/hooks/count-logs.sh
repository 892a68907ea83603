set -e
FILE=$(jq -r '.tool_input.file_path')
case $FILE in *.ts) ;; *) exit 0 ;; esac
COUNT=$(grep -c 'console.log' "$FILE")
echo "{\"systemMessage\": \"$COUNT console.log\"}"
