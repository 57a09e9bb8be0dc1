//! Structural rank: the most rows that can be given columns of their own.

/// A largest matching of rows to columns.
#[derive(Clone)]
pub(super) struct Matching {
    /// column of each row
    pub(super) column_of: Vec<Option<usize>>,
    row_of: Vec<Option<usize>>,
}

/// Matches rows to columns by augmenting paths. `rows[i]` are the columns with an entry in row i.
pub(super) fn matching(rows: &[Vec<usize>], columns: usize) -> Matching {
    let mut found = Matching { column_of: vec![None; rows.len()], row_of: vec![None; columns] };
    for row in 0..rows.len() {
        augment(rows, row, &mut found);
    }
    found
}

/// Breadth first, so that the depth of the search is not the depth of the stack.
fn augment(rows: &[Vec<usize>], start: usize, found: &mut Matching) {
    let mut came_from: Vec<Option<usize>> = vec![None; found.row_of.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(row) = queue.pop_front() {
        for &column in &rows[row] {
            if came_from[column].is_some() {
                continue;
            }
            came_from[column] = Some(row);
            match found.row_of[column] {
                Some(next) => queue.push_back(next),
                None => {
                    flip(column, start, &came_from, found);
                    return;
                }
            }
        }
    }
}

/// Follows the path back to its start, giving each row the column it came by.
fn flip(mut column: usize, start: usize, came_from: &[Option<usize>], found: &mut Matching) {
    while let Some(row) = came_from[column] {
        let before = found.column_of[row];
        found.column_of[row] = Some(column);
        found.row_of[column] = Some(row);
        match before {
            Some(next) if row != start => column = next,
            _ => return,
        }
    }
}

impl Matching {
    /// Number of matched rows.
    pub(super) fn rank(&self) -> usize {
        self.column_of.iter().flatten().count()
    }

    /// Rows that share too few columns with an unmatched one, and those columns.
    pub(super) fn crowd(&self, rows: &[Vec<usize>]) -> Option<(Vec<usize>, Vec<usize>)> {
        let first = self.column_of.iter().position(Option::is_none)?;
        let (mut in_rows, mut in_columns) = (vec![first], Vec::new());
        let mut next = 0;
        while let Some(&row) = in_rows.get(next) {
            next += 1;
            for &column in &rows[row] {
                if in_columns.contains(&column) {
                    continue;
                }
                in_columns.push(column);
                if let Some(other) = self.row_of[column]
                    && !in_rows.contains(&other)
                {
                    in_rows.push(other);
                }
            }
        }
        in_rows.sort_unstable();
        in_columns.sort_unstable();
        Some((in_rows, in_columns))
    }
}
