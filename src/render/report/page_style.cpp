#include "render/report/page_style.hpp"

namespace plankeep::render {

// Colours: those of Okabe and Ito, which people tell apart whatever they see of colour, as light tints for
// areas; what matters also differs by dashes or words. Contrast of text: at least 4.5 to 1 in both schemes.
const std::string_view kPageStyle = R"css(
:root{color-scheme:light dark;--ground:#fff;--text:#1b1f24;--quiet:#57606a;--line:#d0d7de;--panel:#f6f8fa;
--accent:#0a5ea8;--good:#1a7f37;--warn:#9a4b00;--bad:#b3261e;
--b0:#9ecae9;--b1:#f2cf9a;--b2:#9fd8c3;--b3:#efe79a;--b4:#e3b6d0;--b5:#c9c9c9}
@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--text:#e6edf3;--quiet:#9aa4ae;--line:#30363d;
--panel:#161b22;--accent:#79b8ff;--good:#56d364;--warn:#f0a35e;--bad:#ff8a80;
--b0:#1f5f8b;--b1:#8a6116;--b2:#14705a;--b3:#7d7618;--b4:#80486a;--b5:#565b61}}
*{box-sizing:border-box}
body{margin:0 auto;padding:16px;max-width:1200px;background:var(--ground);color:var(--text);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:.4em 0}
h2{font-size:1.2rem;margin:2em 0 .5em;border-bottom:1px solid var(--line);padding-bottom:.2em}
h3{font-size:1.02rem;margin:1.4em 0 .4em}
a{color:var(--accent)}
p{margin:.4em 0}
.quiet{color:var(--quiet)}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.wide{overflow-x:auto;margin:.5em 0}
.wide:focus-visible,a:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible{
outline:3px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;overflow-wrap:break-word}
table.full{width:100%}
caption{text-align:left;color:var(--quiet);padding:.2em 0}
th,td{text-align:left;vertical-align:top;padding:.3em .6em;border-bottom:1px solid var(--line)}
th{font-weight:600}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.date{white-space:nowrap;font-variant-numeric:tabular-nums}
td.task{min-width:16em;overflow-wrap:anywhere}
td code{overflow-wrap:anywhere;min-width:6em;display:inline-block}
code,pre{font-family:ui-monospace,"SF Mono","DejaVu Sans Mono",monospace;font-size:.9em}
pre{background:var(--panel);padding:.6em;overflow-x:auto;white-space:pre-wrap;margin:.4em 0}
details{margin:.3em 0}
summary{cursor:pointer;color:var(--accent)}
progress{width:100%;height:14px;accent-color:var(--good)}
svg{display:block;width:100%;min-width:640px;height:auto}
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--text)}
svg .label{fill:var(--quiet)}svg .name{fill:var(--text)}
.grid{stroke:var(--line);stroke-width:1}
.axis{stroke:var(--quiet);stroke-width:1}
.now,.at{stroke:var(--quiet);stroke-width:1;stroke-dasharray:2 3}
.scope{fill:none;stroke:var(--warn);stroke-width:2;stroke-dasharray:7 3}
.scope.ahead{stroke-width:1}
.done{fill:none;stroke:var(--accent);stroke-width:2.5}
.cone{fill:var(--accent);opacity:.16}
.chance{stroke:var(--accent);stroke-width:1;stroke-dasharray:3 3}
.band0{fill:var(--b0)}.band1{fill:var(--b1)}.band2{fill:var(--b2)}.band3{fill:var(--b3)}.band4{fill:var(--b4)}
.band5{fill:var(--b5)}
.span{fill:var(--b0);stroke:var(--accent)}.span.complete{fill:var(--b2);stroke:var(--good)}
.span.blocked{fill:var(--b1);stroke:var(--warn)}
.moment{fill:var(--accent)}.moment.commit{fill:var(--good)}.moment.incident{fill:var(--bad)}
.node{fill:var(--panel);stroke:var(--quiet)}.node.is-done{fill:var(--b2);stroke:var(--good)}
.node.is-active{fill:var(--b0);stroke:var(--accent);stroke-width:2.5}
.node.is-waiting{stroke-dasharray:4 3}
.arrow{stroke:var(--quiet);stroke-width:1}
.key{display:flex;flex-wrap:wrap;gap:.3em 1.2em;list-style:none;padding:0;margin:.4em 0}
.key svg{display:inline-block;width:22px;min-width:0;height:12px;margin-right:.4em}
.filter{display:flex;flex-wrap:wrap;gap:.6em;margin:.6em 0}
.filter label{display:flex;flex-direction:column;max-width:100%;font-size:.85rem;color:var(--quiet)}
input,select{font:inherit;padding:.25em .4em;background:var(--panel);color:var(--text);
border:1px solid var(--quiet);border-radius:4px;max-width:100%}
.time-says{min-height:1.5em}
[hidden]{display:none!important}
@media print{body{max-width:none;padding:0}.filter,.time-says{display:none}h2{break-after:avoid}
svg{min-width:0}tr,svg{break-inside:avoid}}
)css";

// A filter over rows that are there anyway, and a line that follows the pointer over the burn-up.
const std::string_view kPageScript = R"js(
"use strict";
(() => {
  for (const form of document.querySelectorAll("form.filter")) {
    const section = form.closest("section");
    const rows = [...section.querySelectorAll("tr[data-state]")];
    const says = form.querySelector("output");
    const fill = (select, name) => {
      for (const value of [...new Set(rows.map((row) => row.dataset[name]))].filter(Boolean).sort()) {
        const option = document.createElement("option");
        option.textContent = value;
        select.append(option);
      }
    };
    fill(form.elements.phase, "phase");
    fill(form.elements.actor, "actor");
    const apply = () => {
      const text = form.elements.text.value.toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const fits = (!text || row.textContent.toLowerCase().includes(text)) &&
          ["phase", "actor", "state"].every((name) => {
            const wanted = form.elements[name].value;
            return !wanted || row.dataset[name] === wanted;
          });
        row.hidden = !fits;
        shown += fits ? 1 : 0;
      }
      says.textContent = shown + " of " + rows.length + " shown";
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
  }
  for (const svg of document.querySelectorAll("svg[data-from]")) {
    const section = svg.closest("section");
    const says = section.querySelector(".time-says");
    const rows = [...section.querySelectorAll("tr[data-time]")];
    if (!says || rows.length === 0) continue;
    const number = (name) => Number(svg.dataset[name]);
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    line.setAttribute("class", "at");
    line.setAttribute("y1", "18");
    line.setAttribute("y2", "304");
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
      const share = (x - number("left")) / (number("right") - number("left"));
      const time = number("from") + share * (number("to") - number("from"));
      let found = rows[0];
      for (const row of rows) if (Number(row.dataset.time) <= time) found = row;
      line.setAttribute("x1", String(x));
      line.setAttribute("x2", String(x));
      svg.append(line);
      says.textContent = [...found.cells].slice(0, 3).map((cell) => cell.textContent).join("  ");
    });
  }
})();
)js";

}  // namespace plankeep::render
