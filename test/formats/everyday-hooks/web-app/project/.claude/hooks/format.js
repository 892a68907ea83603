#!/usr/bin/env node
const fs = require('fs');

const input = JSON.parse(fs.readFileSync(0, 'utf-8'));
const file = input.tool_input?.file_path;
if (!file || !/\.(css|ts)$/.test(file) || !fs.existsSync(file)) process.exit(0);
const text = fs.readFileSync(file, 'utf-8');
const formatted = text.replace(/[ \t]+$/gm, '').replace(/\n*$/, '\n');
// Another hook may read the file now.
if (formatted !== text) fs.writeFileSync(file, formatted);
console.log('✓ formatted ' + require('path').basename(file));
