/** The style sheet of an HTML report. The page allows this one, by its hash, and nothing else. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;
--bg:light-dark(#f5f6f8,#15171b);--card:light-dark(#fff,#1b1e23);--line:light-dark(#e1e4e9,#2b3038);
--text:light-dark(#1a1e24,#e3e6eb);--text-2:light-dark(#4d5662,#aab3bf);
--danger:light-dark(#a3123f,#ff8fae);--danger-bg:light-dark(#fbe6ec,#43192a);
--error:light-dark(#b42318,#ff9d92);--error-bg:light-dark(#fdeae8,#431f1c);
--warning:light-dark(#8a5300,#f2bf5e);--warning-bg:light-dark(#fdf2dc,#3a2c10);
--note:light-dark(#4d5662,#aab3bf);--note-bg:light-dark(#eef1f5,#272c34);
--clean:light-dark(#17693f,#7fd3a3);--clean-bg:light-dark(#e5f4eb,#163325);
--bars:light-dark(#5b86d6,#5f8ddb);--dtype-1:light-dark(#3f6fc4,#6f9bea);--dtype-2:light-dark(#2f8f83,#4fb6a8);
--dtype-3:light-dark(#8a63b8,#ad8ad8);--dtype-4:light-dark(#a8772e,#cfa05a);--dtype-5:light-dark(#7a8594,#8e99a8)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:14px/1.5 "Segoe UI",-apple-system,BlinkMacSystemFont,Inter,"Noto Sans",Ubuntu,"Liberation Sans",Arial,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1160px;margin:0 auto;padding:28px 28px 48px}
h1{font-size:20px;line-height:1.35;margin:0 0 12px;overflow-wrap:anywhere}
h2{font-size:15px;margin:34px 0 10px}
h2 span{color:var(--text-2);font-weight:400}
p{margin:0 0 10px}
code,.name{font:12.5px/1.45 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
.verdict{display:flex;gap:12px;align-items:baseline;border-radius:8px;padding:12px 16px;border:1px solid;overflow-wrap:anywhere}
.verdict b{white-space:nowrap}
.dangerous{color:var(--danger);background:var(--danger-bg)}.damaged{color:var(--error);background:var(--error-bg)}
.incomplete,.warnings{color:var(--warning);background:var(--warning-bg)}.clean{color:var(--clean);background:var(--clean-bg)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:1px;background:var(--line);border:1px solid var(--line);border-radius:8px;overflow:hidden;margin:14px 0 0}
.facts div{background:var(--card);padding:10px 14px}
.facts dt{color:var(--text-2);font-size:12px}.facts dd{margin:0;font-size:16px;font-weight:600;overflow-wrap:anywhere}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--card)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:6px 12px;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child>td,tr:last-child>th{border-bottom:0}
thead th{font-size:12px;color:var(--text-2);font-weight:600;white-space:nowrap}
tbody th{font-weight:400}
.number{text-align:right;white-space:nowrap}.whole{white-space:nowrap}
.depth-1{padding-left:28px}.depth-2{padding-left:44px}
.severity{display:inline-block;min-width:64px;text-align:center;border-radius:999px;padding:0 10px;font-size:12px;font-weight:600}
.danger{color:var(--danger);background:var(--danger-bg)}.error{color:var(--error);background:var(--error-bg)}
.warning{color:var(--warning);background:var(--warning-bg)}.note{color:var(--note);background:var(--note-bg)}
.muted{color:var(--text-2)}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(330px,1fr));gap:14px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 14px;min-width:0}
.card h3{font:600 12.5px/1.4 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;margin:0 0 2px;overflow-wrap:anywhere}
.card .muted{font-size:12px}
.card.has-far{border-color:var(--warning)}
.numbers{display:grid;grid-template-columns:repeat(4,1fr);gap:4px 10px;margin:8px 0 0;font-size:12px}
.numbers dt{color:var(--text-2)}.numbers dd{margin:0;overflow-wrap:anywhere}
svg{display:block;width:100%;height:auto;margin-top:6px}
svg text{font-size:10.5px;fill:var(--text-2)}
.end{text-anchor:end}.middle{text-anchor:middle}
.axis,.zero{stroke:var(--line);stroke-width:1}.zero{stroke:var(--text-2);stroke-dasharray:2 3}
.line{fill:none;stroke:var(--bars);stroke-width:1.6}.dot{fill:var(--bars)}
.spread{stroke:var(--bars);stroke-width:1;opacity:.45}.far{fill:var(--warning);stroke:var(--card);stroke-width:1.5}
.bars rect{fill:var(--bars)}
svg.bar{height:14px;border-radius:4px;margin:0 0 10px}
.dtype-1{fill:var(--dtype-1)}.dtype-2{fill:var(--dtype-2)}.dtype-3{fill:var(--dtype-3)}.dtype-4{fill:var(--dtype-4)}.dtype-5{fill:var(--dtype-5)}
.swatch{width:10px;height:10px;display:inline-block;margin:0 8px 0 0}
footer{margin-top:40px;color:var(--text-2);font-size:12px}
@media print{main{max-width:none;padding:0}body{background:none}.card,tr{break-inside:avoid}}
`;
