//! Tables that were read from a file: `serde` is a dependency here.

use ode_model::prelude::*;

model! {
    /// A mass on a spring that is pulled, and counts its turns.
    pub struct Pulled {
        param m: Real [kg] = 1.0;
        param k: Real [N/m] = 4.0;
        coord (x, v): Real [m];
        input pull: Real [N] = 0.5;
        mode turns: Real = 0.0;
        kinetic = 0.5 * m * sq(v);
        potential = 0.5 * k * sq(x);
        force pull on x = pull;
        output power: Real [W] = pull * v;
        event turn when v < 0.0 { turns = turns + 1.0; }
        init x = 0.2;
        init v = 0.1;
    }
}

#[test]
fn a_table_that_was_read_goes_on_with_chosen_columns() {
    let model = Pulled::default();
    let chosen = ["energies", "power", "der(x)", "der(der(x))", "turns"];
    let (mut whole, mut kept) = (Table::of(&model), Table::of(&model).only(&["outputs", "states"]).expect("columns"));
    let mut run = Simulation::of(&model, DormandPrince8).adaptive(1e-9).expect("a start");
    run.run(1.0, 0.25, |seen| {
        whole.record(seen);
        kept.record(seen);
    })
    .expect("a run");
    let read = |table: &Table| -> Table {
        let text = serde_json::to_string(table).expect("text");
        serde_json::from_str(&text).expect("a table")
    };
    // chosen of what was read, before it goes on
    let mut few = read(&whole).only(&chosen).expect("the columns that were written");
    let mut again = read(&kept).only(&["v", "outputs"]).expect("the columns that were written");
    assert_eq!(read(&few), few);
    run.run(2.0, 0.25, |seen| {
        whole.record(seen);
        few.record(seen);
        again.record(seen);
    })
    .expect("a run");
    assert!(!whole.events().is_empty() && few.events() == whole.events());
    assert!(few.names().eq([
        "t",
        "energy.kinetic",
        "energy.potential",
        "energy.dissipation",
        "power",
        "v",
        "der(v)",
        "turns"
    ]));
    let numbers = |table: &Table, name: &str| -> Vec<f64> { table.column(name).expect("a column").collect() };
    for column in few.columns() {
        assert_eq!(numbers(&few, &column.name), numbers(&whole, &column.name), "{column}");
        assert_eq!(whole.about(&column.name), Ok(column));
    }
    assert!(again.names().eq(["t", "v", "power"]));
    for name in again.names() {
        assert_eq!(numbers(&again, name), numbers(&whole, name), "{name}");
    }
    // what is left out is known to be of the model
    let said = again.column("x").map(drop).expect_err("left out").to_string();
    assert!(said.contains("does not record it"), "{said}");
    // columns of the user's own have no place in a run
    let mut own = Table::with_columns(["x", "t"].map(str::to_owned));
    own.record(&run.now());
    own.push(run.state());
    assert!(own.rows().flatten().all(|x| x.is_nan()) && own.len() == 2);
}
