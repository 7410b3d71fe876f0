"use strict";
(() => {
  const { words, rows } = JSON.parse(document.getElementById("data").textContent);
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const hits = document.getElementById("hits");
  const idColumns = ID_COLUMNS, shown = 20, labels = words.labels || [];
  let keys = null;
  const make = (name, text, style) => {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    if (style) element.className = style;
    return element;
  };
  const card = (row) => {
    const ruling = words.rulings[row[0]];
    const hit = make("div", "", "hit");
    hit.append(make("h3", ruling.title), make("p", row[idColumns] ? words.told : ruling.next));
    const list = make("dl");
    words.columns.forEach((title, column) => {
      const value = row[column + 1];
      if (value) list.append(make("dt", title), make("dd", value));
    });
    hit.append(list);
    return hit;
  };
  /* The ids, and each label as its value and as name=value. */
  const key = (row) => {
    const values = row.slice(row.length - labels.length);
    const named = values.map((value, label) => value && value + " " + labels[label] + "=" + value);
    return row.slice(1, idColumns + 1).concat(named).join(" ").toLowerCase();
  };
  const search = () => {
    const wanted = field.value.trim().toLowerCase();
    hits.replaceChildren();
    found.textContent = "";
    if (wanted.length < 3) return;
    keys = keys || rows.map(key);
    const matches = [];
    keys.forEach((key, index) => { if (key.includes(wanted)) matches.push(index); });
    const isWhole = (index) => (" " + keys[index] + " ").includes(" " + wanted + " ");
    matches.sort((left, right) => isWhole(right) - isWhole(left) || left - right);
    const first = matches.slice(0, shown);
    found.textContent = matches.length === 0
      ? words.none : words.many.replace("{0}", first.length).replace("{1}", matches.length);
    hits.append(...first.map((index) => card(rows[index])));
  };
  field.addEventListener("input", search);
  // report.html#2000000123456789 opens with its answer, and a link to #NAME%3DVALUE finds that label.
  const follow = () => {
    try { field.value = decodeURIComponent(location.hash.slice(1)); } catch { field.value = ""; }
    search();
    if (field.value) field.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
})();
