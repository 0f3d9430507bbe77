/** The style sheet: light or dark as the reader prefers, readable on paper and on small screens. */
export const stylesheet = `
:root { --paper: #fff; --ink: #1c1e21; --faint: #646a73; --line: #dfe2e6; --box: #f5f6f8; --good: #146c2e; --bad: #b3261e; --odd: #8a5200; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181b; --ink: #e7e9ec; --faint: #9aa1ab; --line: #33373d; --box: #202327; --good: #6fd58b; --bad: #ff8a80; --odd: #f0b45c; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p, dt, td:nth-child(n+3) { color: var(--faint); }
section { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 4px; padding: .75rem 1rem; margin: 0 0 1rem; }
section p { margin: 0 0 .5rem; font-size: .875rem; }
p.warning { border-left: 4px solid var(--odd); padding: .25rem .75rem; color: var(--odd); }
dl { margin: 0; }
dt { font-size: .875rem; }
dd { margin: 0 0 .5rem; }
pre { margin: 0; padding: .5rem .75rem; background: var(--box); border-radius: 4px; font: .8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; padding: .4rem 0; font-weight: 600; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
td:nth-child(3) { white-space: nowrap; }
.Pass { color: var(--good); }
.Fail, .Error { color: var(--bad); }
.Skip, .NotReached { color: var(--odd); }
`;
