/**
 * The eight blocks of code in the section "Examples" of ECA's page on hooks, unchanged: seven settings files, each for
 * `~/.config/eca/config.json`, and the script of the second. The last settings file names a script that the page does not show.
 */

export const notifyAfterPrompt = `{
  "hooks": {
    "notify-me": {
      "type": "postRequest",
      "visible": false,
      "actions": [{"type": "shell", "shell": "notify-send 'Prompt finished!'"}]
    }
  }
}
`;

/** The content of `~/.config/eca/hooks/my-hook.sh`. */
export const ringBellScript = `jq -e '.approval == "ask"' > /dev/null && canberra-gtk-play -i complete
`;

export const ringBell = `{
  "hooks": {
    "notify-me": {
      "type": "preToolCall",
      "visible": false,
      "actions": [
        {
          "type": "shell",
          "file": "hooks/my-hook.sh"
        }
      ]
    }
  }
}
`;

export const injectContext = `{
  "hooks": {
    "load-context": {
      "type": "chatStart",
      "actions": [{
        "type": "shell",
        "shell": "echo '{\\"additionalContext\\": \\"Today is '$(date +%Y-%m-%d)'\\"}'"
      }]
    }
  }
}
`;

export const rewritePrompt = `{
  "hooks": {
    "add-prefix": {
      "type": "preRequest",
      "actions": [{
        "type": "shell",
        "shell": "jq -c '{replacedPrompt: (\\"[IMPORTANT] \\" + .prompt)}'"
      }]
    }
  }
}
`;

export const blockTool = `{
  "hooks": {
    "block-rm": {
      "type": "preToolCall",
      "matcher": "eca__shell_command",
      "actions": [{
        "type": "shell",
        "shell": "if jq -e '.tool_input.command | test(\\"rm -rf\\")' > /dev/null; then echo '{\\"approval\\":\\"deny\\",\\"additionalContext\\":\\"Dangerous command blocked\\"}'; fi"
      }]
    }
  }
}
`;

export const modifyArguments = `{
  "hooks": {
    "force-recursive": {
      "type": "preToolCall",
      "matcher": "eca__directory_tree",
      "actions": [{
        "type": "shell",
        "shell": "echo '{\\"updatedInput\\": {\\"max_depth\\": 3}}'"
      }]
    }
  }
}
`;

export const externalScript = `{
  "hooks": {
    "my-hook": {
      "type": "preToolCall",
      "actions": [{"type": "shell", "file": "~/.config/eca/hooks/check-tool.sh"}]
    }
  }
}
`;
