//! What a run shows, and what a table keeps of it.

use ode_model::prelude::*;
use ode_model::{Seen, Side};

use crate::{close, near};

model! {
    /// A cart on a spring, pushed against a wall.
    pub struct Cart {
        param m: Real [kg] = 2.0;
        param k: Real [N/m] = 8.0;
        param wall: Real [m] = 0.5;
        param c: Real [N*s/m] = 3.0;
        coord (x, v): Real [m];
        coord th: Angle;
        input push: Real [N] = 1.0;
        mode hits: Real = 0.0;
        kinetic = 0.5 * m * sq(v) + 0.5 * m * sq(1.0m * der(th));
        potential = 0.5 * k * sq(x);
        dissipation = 0.5 * c * sq(v);
        force push on x = push;
        fix th;
        init th = 0.0;
        init x = 0.0;
        event hit when x > wall { v = -v; hits = hits + 1.0; }
        output power: Real [W] = push * v;
        output both: Vec2 [N] = vec2(push, k * x);
    }
}

fn run(see: impl FnMut(&Seen<'_, Cart>)) {
    let cart = Cart::default();
    let setup = Simulation::of(&cart, DormandPrince8).sampled(0.25, |now, u| u.set_push(8.0 - now.v.x()));
    setup.adaptive(1e-9).expect("a start").run(1.0, 0.125, see).expect("a run");
}

#[test]
fn an_observer_sees_the_inputs_and_outputs_of_its_state() {
    let (mut sampled, mut seen, mut events) = (0.0, 0, Vec::new());
    run(|now| {
        if (now.t / 0.25).fract().abs() < 1e-12 && now.event().is_none() {
            sampled = 8.0 - now.v.x();
        }
        // held from one sample to the next
        assert_eq!(now.inputs().push(), sampled, "t = {}", now.t);
        close(now.outputs().power(), sampled * now.v.x());
        assert_eq!(now.outputs().both(), [sampled, 8.0 * now.q.x()]);
        close(now.energy().kinetic, now.v.x() * now.v.x());
        close(now.energy().potential, 4.0 * now.q.x() * now.q.x());
        assert!(now.step() > 0.0 || now.t == 0.0);
        events.extend(now.event().map(|(name, side)| (name.as_str().to_owned(), side, now.v.x() > 0.0)));
        seen += 1;
    });
    assert_eq!(seen, 9 + events.len());
    assert_eq!(events[..2], [("hit".to_owned(), Side::Before, true), ("hit".to_owned(), Side::After, false)]);
    let cart = Cart::default();
    let mut run = Simulation::of(&cart, RungeKutta4).inputs(Constant([3.0])).fixed(0.1).expect("a start");
    assert_eq!((run.now().step(), run.now().inputs().push()), (0.0, 3.0));
    run.advance_to(0.05).expect("a step");
    near(run.now().step(), 0.05, 1e-15);
    // a state is copied out of what is seen
    let kept: State<Cart> = run.now().state().clone();
    assert_eq!(&kept, run.state());
}

#[test]
fn a_table_keeps_everything_with_units() {
    let mut table = Table::of(&Cart::default());
    run(|seen| table.record(seen));
    let header: Vec<String> = table.columns().iter().map(ToString::to_string).collect();
    assert_eq!(
        header.join(" | "),
        "t [s] | x [m] | th [rad] | v [m/s] | der(th) [rad/s] | der(v) [m/s^2] | der(der(th)) [rad/s^2] | \
         fix_th.lambda [N*m] | hits | push [N] | power [W] | both.x [N] | both.y [N] | energy.kinetic [J] | \
         energy.potential [J] | energy.dissipation [W] | run.step [s]"
    );
    let column = |name: &str| -> Vec<f64> { table.column(name).expect("a column").collect() };
    for (row, t) in column("t").into_iter().enumerate() {
        close(column("power")[row], column("push")[row] * column("v")[row]);
        close(column("energy.potential")[row], 4.0 * column("x")[row].powi(2));
        close(column("energy.dissipation")[row], 3.0 * column("v")[row].powi(2));
        assert!(column("run.step")[row] > 0.0 || t == 0.0);
    }
    assert_eq!((column("der(x)"), column("der(der(x))")), (column("v"), column("der(v)")));
    // each event once, at the time of its two rows
    let hits = table.events();
    assert!(!hits.is_empty() && hits.iter().all(|hit| hit.event == "hit"));
    for hit in hits {
        assert_eq!(column("t").iter().filter(|t| **t == hit.time).count(), 2);
    }
    let mut csv = Vec::new();
    table.write_events_csv(&mut csv).expect("text");
    assert_eq!(String::from_utf8(csv).expect("text").lines().count(), 1 + hits.len());
}

#[test]
fn columns_are_chosen_by_name_or_group() {
    let cart = Cart::default();
    let only = |names: &[&str]| -> Vec<String> {
        Table::of(&cart).only(names).expect("columns").names().map(str::to_owned).collect()
    };
    assert_eq!(only(&["power", "x"]), ["t", "power", "x"]);
    assert_eq!(only(&["both", "der(x)", "v"]), ["t", "both.x", "both.y", "v"]);
    assert_eq!(only(&["inputs", "energies"])[1..3], ["push", "energy.kinetic"]);
    assert_eq!(only(&["states"]), ["t", "x", "th", "v", "der(th)"]);
    assert_eq!(only(&["steps", "multipliers", "modes"]), ["t", "run.step", "fix_th.lambda", "hits"]);
    assert_eq!(only(&["outputs", "accelerations"]).len(), 6);
    assert_eq!(only(&[]), ["t"]);
    let all = Table::of(&cart);
    assert_eq!(
        all.matching("both").expect("a whole"),
        ["both.x", "both.y"].map(|name| all.about(name).expect("a part"))
    );
    assert_eq!(all.matching("energies").expect("a group").len(), 3);
    let unknown = all.matching("output").expect_err("no such group").to_string();
    assert_eq!(unknown, "there is no column `output`; did you mean `outputs`?");
    let error = |table: Table, name: &str| table.only(&[name]).expect_err("no such column").to_string();
    assert_eq!(error(Table::of(&cart), "powr"), "there is no column `powr`; did you mean `power`?");
    assert_eq!(error(Table::of(&cart), "output"), "there is no column `output`; did you mean `outputs`?");
    let few = Table::of(&cart).only(&["x"]).expect("a column");
    let said = "there is no column `power`: `power` is of the model, but this table does not record it; `Table::of` records all";
    assert_eq!(few.column("power").map(drop).expect_err("left out").to_string(), said);
    // the same numbers, chosen before the run or after it
    let (mut all, mut few) = (Table::of(&cart), few);
    run(|seen| all.record(seen));
    run(|seen| few.record(seen));
    assert_eq!(all.only(&["x"]).expect("a column").rows().collect::<Vec<_>>(), few.rows().collect::<Vec<_>>());
}

model! {
    /// Another model, with some names of the cart at other places.
    pub struct Trolley {
        coord x: Real;
        input push: Real = 1.0;
        kinetic = 0.5 * sq(der(x));
        force push on x = push;
        init x = 0.5;
    }
}

#[test]
fn a_run_of_another_model_fills_the_columns_that_it_has() {
    let trolley = Trolley::default();
    let (mut table, mut own) = (Table::of(&Cart::default()), Table::of(&trolley));
    let mut run = Simulation::of(&trolley, RungeKutta4).fixed(0.1).expect("a start");
    run.run(0.2, 0.1, |seen| {
        table.record(seen);
        own.record(seen);
    })
    .expect("a run");
    assert!(own.rows().flatten().all(|number| number.is_finite()), "{own}");
    for name in table.names() {
        let column: Vec<f64> = table.column(name).expect("a column").collect();
        match name {
            "t" | "x" => assert!(column.iter().copied().eq(own.column(name).expect("a column")), "{name}"),
            _ => assert!(column.iter().all(|number| number.is_nan()), "{name}: {column:?}"),
        }
    }
}

#[test]
fn a_table_prints_its_head_and_tail() {
    let mut table = Table::of(&Cart::default()).only(&["x", "energies"]).expect("columns");
    run(|seen| table.record(seen));
    let text = table.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].split_whitespace().eq(["t", "x", "energy.kinetic", "energy.potential", "energy.dissipation"]));
    assert!(lines[1].split_whitespace().eq(["[s]", "[m]", "[J]", "[J]", "[W]"]));
    assert_eq!(lines[7], format!("… {} more rows", table.len() - 10));
    assert_eq!(lines.len(), 2 + 5 + 1 + 5);
    let ends: Vec<usize> = lines.iter().map(|line| line.chars().count()).filter(|n| *n > 30).collect();
    assert!(ends.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
    assert_eq!(Table::default().to_string(), "");
}

#[test]
fn a_wide_table_prints_all_of_its_columns_in_blocks() {
    // those that were chosen, in their order
    let mut table =
        Table::of(&Cart::default()).only(&["outputs", "energies", "states", "x", "inputs"]).expect("columns");
    for table in [&mut table, &mut Table::of(&Cart::default())] {
        run(|seen| table.record(seen));
        let text = table.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
        let blocks: Vec<&str> = text.split("\n\n").collect();
        assert!(blocks.len() > 1, "{text}");
        // head and tail of each block, and the time before each
        let mut names = vec!["t"];
        for block in &blocks {
            let lines: Vec<&str> = block.lines().collect();
            assert_eq!(lines.len(), 2 + 5 + 1 + 5, "{block}");
            let words = |line: usize| -> Vec<&str> { lines[line].split_whitespace().collect() };
            assert_eq!((words(0)[0], words(1)[0], words(2)[0], words(12)[0]), ("t", "[s]", "0.000000", "1.00000"));
            assert_eq!(words(0).len(), words(2).len());
            assert_eq!(lines[7], format!("… {} more rows", table.len() - 10));
            names.extend(&words(0)[1..]);
        }
        assert!(table.names().eq(names), "{text}");
    }
    let name = "x".repeat(300);
    let mut long = Table::with_columns([name.clone(), "a\nb".to_owned()]);
    long.push_row([1.0, 2.0]);
    let lines: Vec<String> = long.to_string().lines().map(|line| line.trim().to_owned()).collect();
    assert_eq!(lines, [&name, "", "1.00000", "", "a b", "", "2.00000"]);
}

#[test]
fn numbers_are_printed_with_six_digits() {
    let mut odd = Table::with_columns(["x".to_owned()]);
    [0.0, -1e-300, 1e300, f64::NAN, f64::NEG_INFINITY, 999_999.5, 0.001, 12.5]
        .into_iter()
        .for_each(|x| odd.push_row([x]));
    let numbers: Vec<String> = odd.to_string().lines().skip(2).map(|line| line.trim().to_owned()).collect();
    let wanted = ["0.000000", "-1.00000e-300", "1.00000e300", "NaN", "-inf", "1000000", "0.001000", "12.5000"];
    assert_eq!(numbers, wanted);
}
