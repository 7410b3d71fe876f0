/// The style of all pages: light and dark, for desktop, phone and paper.
let pageStyle = """
    :root { --page: #f6f7f9; --card: #fff; --ink: #1c2127; --dim: #5f6b7a; --line: #dde1e7; --old: #8fa3bd;
      --new: #d1453b; --done: #3f9c6b; --worth: #4a6fa5; --good: #1d7a46; --bad: #b3261e; --goodback: #e3f4ea;
      --badback: #fce8e6; }
    @media (prefers-color-scheme: dark) {
      :root { --page: #14171b; --card: #1d2127; --ink: #e6e9ed; --dim: #9aa5b3; --line: #333a43; --old: #6f849e;
        --new: #ef6f65; --done: #57b98a; --worth: #7ba0d6; --good: #7fd6a4; --bad: #ff9a91; --goodback: #17382a;
        --badback: #43201e; }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", sans-serif; }
    main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
    h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
    h2 { font-size: 1.1rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
    h3 { font-size: .95rem; margin: 1.25rem 0 .5rem; overflow-wrap: anywhere; }
    p { margin: .35rem 0; overflow-wrap: anywhere; }
    .dim { color: var(--dim); }
    section, .card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
      padding: 1rem 1.1rem; margin: 1rem 0; }
    .warning { border-color: var(--bad); background: var(--badback); }
    .counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .75rem; margin: 1rem 0; }
    .counts div { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem .8rem; }
    .counts b { display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
    .counts span { color: var(--dim); font-size: .85rem; }
    .grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 2rem; }
    .bars { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr max-content; gap: .4rem .75rem;
      align-items: center; grid-auto-flow: dense; }
    .bars svg { display: block; width: 100%; height: .8rem; grid-column: 2; }
    .bars span { overflow-wrap: anywhere; grid-column: 1; }
    .bars span:nth-child(3n+2) { grid-column: 3; text-align: right; font-variant-numeric: tabular-nums; }
    .old { fill: var(--old); } .new { fill: var(--new); } .done { fill: var(--done); } .waived { fill: var(--done); opacity: 0.45; } .worth { fill: var(--worth); }
    .legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; color: var(--dim); font-size: .85rem; margin: 0 0 .6rem; }
    .legend svg { width: .8rem; height: .8rem; vertical-align: -.05rem; margin-right: .35rem; }
    .wide { overflow-x: auto; margin: 0 -1.1rem; padding: 0 1.1rem; }
    table { border-collapse: collapse; width: 100%; font-size: .9rem; }
    th { text-align: left; color: var(--dim); font-weight: 600; white-space: nowrap; }
    th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    td { min-width: 5rem; max-width: 24rem; overflow-wrap: break-word; }
    tr:last-child td { border-bottom: 0; }
    th.figure, td.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; min-width: 0; }
    dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .35rem 1rem; margin: 0; }
    dt { color: var(--dim); }
    dd { margin: 0; overflow-wrap: anywhere; }
    .safe { font-weight: 600; border-radius: .4rem; padding: .5rem .75rem; margin: .5rem 0 1rem; }
    .yes { color: var(--good); background: var(--goodback); } .no { color: var(--bad); background: var(--badback); }
    .source { display: block; color: var(--dim); font-size: .85rem; }
    input { width: 100%; font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line);
      border-radius: .4rem; padding: .55rem .75rem; }
    input:focus { outline: 2px solid var(--worth); outline-offset: 1px; }
    nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .9rem; margin-bottom: 1rem; }
    a { color: var(--worth); }
    .ask { display: grid; grid-template-columns: 1fr max-content; gap: .35rem .6rem; margin: .75rem 0 1.5rem; }
    .ask label, .ask p { grid-column: 1 / -1; margin: 0; }
    .ask label { font-weight: 600; }
    button { font: inherit; font-weight: 600; color: #fff; background: #35598f; border: 1px solid #35598f;
      border-radius: .4rem; padding: .55rem 1.25rem; cursor: pointer; }
    button:focus { outline: 2px solid var(--worth); outline-offset: 2px; }
    .hit { border-top: 1px solid var(--line); padding: .75rem 0; }
    details summary { cursor: pointer; font-weight: 600; }
    details[open] summary { margin-bottom: .75rem; }
    @media (max-width: 34rem) {
      main { padding: 1rem .75rem 2rem; } section, .card { padding: .8rem; }
      .wide { margin: 0 -.8rem; padding: 0 .8rem; }
      dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
      .bars { grid-template-columns: 1fr max-content; gap: .1rem .75rem; grid-auto-flow: row; }
      .bars span:nth-child(3n+2) { grid-column: 2; } .bars svg { grid-column: 1 / -1; margin-bottom: .4rem; }
    }
    @media print {
      :root { --page: #fff; --card: #fff; --ink: #000; --dim: #444; --line: #bbb; }
      body { font-size: 11px; } main { max-width: none; padding: 0; } .search, .ask, nav { display: none; }
      section, .card { break-inside: avoid; border: 0; padding: 0; } .wide { overflow: visible; }
      svg, .safe { print-color-adjust: exact; }
    }
    """
