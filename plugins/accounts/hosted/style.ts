/** The style of the hosted pages, inlined: one request, and no asset to locate at run time. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c1e26, #e8eaf0);
  --quiet: light-dark(#59606f, #a3abbd);
  --line: light-dark(#c9ced9, #444b5c);
  --page: light-dark(#f4f5f8, #14161c);
  --card: light-dark(#ffffff, #1d2029);
  --accent: light-dark(#364fc7, #91a7ff);
  --on-accent: light-dark(#ffffff, #14161c);
  --danger: light-dark(#b42318, #ff9b91);
  --danger-back: light-dark(#fef3f2, #33201f);
  font:
    16px/1.5 system-ui,
    sans-serif;
}
* {
  box-sizing: border-box;
}
body {
  margin: 0 auto;
  padding: 1rem;
  max-width: 36rem;
  min-height: 100vh;
  color: var(--text);
  background: var(--page);
  overflow-wrap: anywhere;
}
nav {
  text-align: right;
  margin-bottom: 0.5rem;
}
main {
  padding: 1.5rem 1.75rem 1.75rem;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--card);
}
h1 {
  margin: 0 0 0.75rem;
  font-size: 1.45rem;
  line-height: 1.3;
}
h2 {
  margin: 2rem 0 0.25rem;
  padding-top: 1.25rem;
  border-top: 1px solid var(--line);
  font-size: 1.1rem;
}
form > h2:first-of-type {
  margin-top: 0.5rem;
  padding-top: 0;
  border: 0;
}
p {
  margin: 0.5rem 0;
}
a {
  color: var(--accent);
}
.steps {
  margin: 0 0 0.5rem;
  color: var(--quiet);
  font-size: 0.9rem;
}
progress {
  display: block;
  width: 100%;
  height: 6px;
  margin-bottom: 1.25rem;
  border: 0;
  border-radius: 3px;
  overflow: hidden;
  appearance: none;
  background: var(--line);
}
progress::-webkit-progress-bar {
  background: var(--line);
}
progress::-webkit-progress-value {
  background: var(--accent);
}
progress::-moz-progress-bar {
  background: var(--accent);
}
fieldset {
  margin: 1rem 0 0;
  padding: 0;
  border: 0;
  min-width: 0;
}
legend,
label {
  display: block;
  margin: 0.9rem 0 0.25rem;
  padding: 0;
  font-weight: 700;
}
.optional,
.hint,
.note {
  color: var(--quiet);
  font-weight: 400;
  font-size: 0.9rem;
}
.hint {
  margin: 0 0 0.35rem;
}
.both {
  margin: 1.1rem 0 -0.5rem;
}
input:not([type='radio'], [type='checkbox']),
select,
textarea {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.55rem 0.7rem;
  border: 1px solid var(--quiet);
  border-radius: 8px;
  font: inherit;
  color: inherit;
  background: var(--card);
}
[aria-invalid='true'] {
  border-color: var(--danger);
  border-width: 2px;
}
.row {
  display: grid;
  grid-template-columns: repeat(3, 1fr);
  gap: 0.75rem;
}
.row label {
  margin-top: 0.25rem;
  font-weight: 400;
}
.choice {
  display: flex;
  align-items: center;
  gap: 0.6rem;
  min-height: 2.75rem;
  margin: 0;
  font-weight: 400;
}
.choice input {
  flex: none;
  width: 1.25rem;
  height: 1.25rem;
  margin: 0;
  accent-color: var(--accent);
}
.kinds .choice {
  margin-top: 0.5rem;
  padding: 0.25rem 0.9rem;
  border: 1px solid var(--line);
  border-radius: 8px;
}
.kinds .choice:has(:checked) {
  border-color: var(--accent);
}
:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}
.buttons {
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
  align-items: center;
  margin: 1.5rem 0 0;
}
button,
.button {
  min-height: 2.75rem;
  padding: 0.55rem 1.1rem;
  border: 1px solid var(--accent);
  border-radius: 8px;
  font: inherit;
  font-weight: 700;
  text-decoration: none;
  color: var(--on-accent);
  background: var(--accent);
  cursor: pointer;
}
.main {
  flex: 1 1 12rem;
}
.quiet {
  color: var(--text);
  background: transparent;
  border-color: var(--line);
}
.problems {
  margin: 0 0 1rem;
  padding: 0.75rem 1rem;
  border: 1px solid var(--danger);
  border-radius: 8px;
  background: var(--danger-back);
}
.problems h2 {
  margin: 0;
  padding: 0;
  border: 0;
  font-size: 1rem;
}
.problems ul {
  margin: 0.25rem 0 0;
  padding-left: 1.25rem;
}
.problem,
.problems a {
  color: var(--danger);
}
.problem {
  margin: 0.25rem 0 0;
  font-size: 0.9rem;
}
.person {
  margin: 0.75rem 0;
  padding: 0.75rem 1rem;
  border: 1px solid var(--line);
  border-radius: 8px;
}
.person p {
  margin: 0.15rem 0;
}
.person .buttons {
  margin-top: 0.5rem;
}
form > .choice {
  margin-top: 0.75rem;
}
dl {
  display: grid;
  grid-template-columns: minmax(7rem, 2fr) 3fr;
  gap: 0.35rem 1rem;
  margin: 0.5rem 0;
}
dt {
  color: var(--quiet);
}
dd {
  margin: 0;
}
@media (max-width: 26rem) {
  body {
    padding: 0.5rem;
  }
  main {
    padding: 1.1rem;
  }
}
`;
