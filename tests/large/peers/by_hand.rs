//! The forces of springs in space and their weighted tangent, as one writes them by hand for this one purpose: each
//! node evaluates the springs it stands in, and writes its three columns.

/// The springs at each node, and where their blocks stand among the node's columns.
pub(crate) struct ByHand {
    /// of each node: the first of its springs, and its first nonzero
    nodes: Vec<[usize; 2]>,
    springs: Vec<End>,
    /// the row of each node's own block in its columns
    own: Vec<usize>,
}

/// A spring as one of its nodes sees it.
struct End {
    spring: u32,
    other: u32,
    row: u32,
}

impl ByHand {
    pub(crate) fn new(nodes: usize, springs: &[[usize; 2]]) -> Self {
        let mut around = vec![Vec::new(); nodes];
        for (spring, &[i, j]) in (0_u32..).zip(springs) {
            around[i].push((j as u32, spring));
            around[j].push((i as u32, spring));
        }
        let mut all = Self { nodes: vec![[0, 0]], springs: Vec::new(), own: Vec::new() };
        let mut nonzeros = 0;
        for (node, neighbours) in (0_u32..).zip(&mut around) {
            neighbours.sort_unstable();
            let own = neighbours.partition_point(|&(other, _)| other < node);
            let row = |k: usize| 3 * (k + usize::from(k >= own)) as u32;
            let ends = neighbours.iter().enumerate().map(|(k, &(other, spring))| End { spring, other, row: row(k) });
            all.springs.extend(ends);
            nonzeros += 9 * (neighbours.len() + 1);
            all.own.push(3 * own);
            all.nodes.push([all.springs.len(), nonzeros]);
        }
        all
    }

    /// r = −f and rates · M + position · K, column by column, for springs of stiffness `k` and length `rest`.
    pub(crate) fn tangent(
        &self,
        x: &[[f64; 3]],
        (m, k, rest): (&[f64], &[f64], &[f64]),
        [rates, position]: [f64; 2],
        r: &mut [[f64; 3]],
        out: &mut [f64],
    ) {
        for (i, node) in self.nodes.windows(2).enumerate() {
            let &[[first, place], [last, next]] = node else { return };
            let columns = &mut out[place..next];
            let (one, others) = columns.split_at_mut((next - place) / 3);
            let (two, three) = others.split_at_mut((next - place) / 3);
            let mut put = |row: usize, b: &[f64; 6]| {
                one[row..row + 3].copy_from_slice(&[b[0], b[1], b[2]]);
                two[row..row + 3].copy_from_slice(&[b[1], b[3], b[4]]);
                three[row..row + 3].copy_from_slice(&[b[2], b[4], b[5]]);
            };
            let (mut own, mut force) = ([0.0; 6], [0.0; 3]);
            for end in &self.springs[first..last] {
                let (other, spring) = (x[end.other as usize], end.spring as usize);
                let d: [f64; 3] = std::array::from_fn(|c| other[c] - x[i][c]);
                let inverse = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
                let (stiffness, slack) = (k[spring], rest[spring] * inverse);
                let along = stiffness * (1.0 - slack);
                let curved = stiffness * slack * inverse * inverse;
                let g = d.map(|d| curved * d);
                let (bxx, byy, bzz) = (along + g[0] * d[0], along + g[1] * d[1], along + g[2] * d[2]);
                let block = [bxx, g[0] * d[1], g[0] * d[2], byy, g[1] * d[2], bzz];
                own.iter_mut().zip(block).for_each(|(own, b)| *own += b);
                force.iter_mut().zip(d).for_each(|(force, d)| *force += along * d);
                put(end.row as usize, &block.map(|b| -position * b));
            }
            let mass = |k: usize| if matches!(k, 0 | 3 | 5) { rates * m[i] } else { 0.0 };
            put(self.own[i], &std::array::from_fn(|k| position * own[k] + mass(k)));
            r[i] = force.map(|f| -f);
        }
    }
}
