// Sorts a table by the column whose heading is clicked, the other way round at the second click.
"use strict";
for (const button of document.querySelectorAll("table.sortable th button")) {
    button.addEventListener("click", () => {
        const head = button.parentElement, body = head.closest("table").tBodies[0];
        const column = head.cellIndex, ascending = head.getAttribute("aria-sort") !== "ascending";
        const key = (row) => {
            const cell = row.cells[column];
            const text = cell.dataset.sort ?? cell.textContent;
            const number = text === "" ? NaN : Number(text);
            return {text, number, empty: text === "" || text === "–"};
        };
        const keys = new Map(Array.from(body.rows, (row) => [row, key(row)]));
        const compare = (one, other) => {
            const a = keys.get(one), b = keys.get(other);
            if (a.empty !== b.empty) return a.empty ? 1 : -1;
            const order = Number.isNaN(a.number) || Number.isNaN(b.number)
                ? a.text.localeCompare(b.text, undefined, {numeric: true}) : Math.sign(a.number - b.number) || 0;
            return ascending ? order : -order;
        };
        for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
        body.append(...Array.from(body.rows).sort(compare));
    });
}
