import { createSpawner } from '@tenterhook/spawner';
const env={PATH:process.env.PATH,HOME:process.env.HOME,SHLVL:'1',LANG:'C.UTF-8'};
for (const starts of ['direct','lanes']) { const s=createSpawner({}, {starts});
 const r=(text,o={})=>s.run({command:{kind:'shell',text},cwd:'/tmp',env,stdin:'hello\n',timeoutMs:3000,...o});
 for (const t of ['cat; exit 3','kill -9 $BASHPID','exit 137','nosuch','ls / | head -1','sleep 60 & exit 2','./nosuch.sh','true','env | sort | tr "\\n" " "','set -e; false; echo x']) { const {pid,durationMs,...x}=await r(t); console.log(starts,t,JSON.stringify(x)); if(x.leftProcesses) process.kill(-pid,'SIGTERM'); }
 const {pid,...x}=await r('sleep 60',{timeoutMs:300}); console.log(x);
 await s.dispose(); }
