//! The tables of methods, in `src/guide/methods.md` and `README.md`.

/// Rows of cells under named columns.
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn of_the_guide() -> Self {
        Self::read(include_str!("../../../../src/guide/methods.md"))
    }

    pub(crate) fn of_the_readme() -> Self {
        Self::read(include_str!("../../../../README.md"))
    }

    fn read(text: &str) -> Self {
        let mut lines =
            text.lines().skip_while(|line| !line.starts_with("| method |")).take_while(|l| l.starts_with('|'));
        let columns = cells(lines.next().expect("a head"));
        let rows = lines.skip(1).map(cells).collect();
        Self { columns, rows }
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.rows.iter().map(|row| row[0].as_str()).collect()
    }

    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(String::as_str)
    }

    pub(crate) fn cell(&self, method: &str, column: &str) -> &str {
        let row = self.rows.iter().find(|row| row[0] == method).unwrap_or_else(|| panic!("no row of {method:?}"));
        let at = self.columns.iter().position(|c| c == column).unwrap_or_else(|| panic!("no column {column:?}"));
        &row[at]
    }
}

/// The cells of a line, without links and backticks.
fn cells(line: &str) -> Vec<String> {
    let plain = |cell: &str| {
        let mut text = String::new();
        let mut rest = cell.trim();
        while let Some((before, link)) = rest.split_once("](") {
            text.push_str(before);
            rest = link.split_once(')').map_or("", |(_, after)| after);
        }
        text.push_str(rest);
        text.replace(['[', '`'], "")
    };
    line.trim_matches('|').split('|').map(plain).collect()
}
