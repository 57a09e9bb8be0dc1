//! Tables of runs: continued after a resume, as text and back.

use crate::common::on;
use crate::common::plants::{Oscillator, Pendulum};
use ode_runtime::integrators::Geodesic;
use ode_runtime::{Name, OtherColumns, Simulation, System, Table};

#[test]
fn a_table_goes_on_where_its_run_was_resumed() {
    let pendulum = on(Pendulum::standard());
    let table = || Table::new(&pendulum.layout());
    let setup = || Simulation::of(&pendulum, Geodesic);
    let mut whole = table();
    setup().fixed(1.0 / 64.0).expect("a start").run(0.5, 0.0625, |x| whole.push(x)).expect("steps");

    let (mut first, mut rest) = (table(), table());
    let mut run = setup().fixed(1.0 / 64.0).expect("a start");
    run.run(0.25, 0.0625, |x| first.push(x)).expect("steps");
    let mut again = setup().resume(run.checkpoint()).fixed(1.0 / 64.0).expect("the same run");
    again.run(0.5, 0.0625, |x| rest.push(x)).expect("steps");
    assert_eq!((first.len(), rest.len()), (5, 5));
    first.append(&rest).expect("the same columns");
    assert_eq!(first, whole);
}

#[test]
fn tables_of_others_are_refused() {
    let mut table = Table::new(&on(Pendulum::standard()).layout());
    table.push_row([0.0; 9]);
    let before = table.clone();
    let free = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let refused = table.append(&Table::new(&free.layout())).expect_err("other columns");
    assert_eq!(refused, OtherColumns { column: 2, here: Some(Name::new("y")), other: Some(Name::new("der(x)")) });
    let said = "the tables have different columns: in column 2 the first has `y` and the second `der(x)`";
    assert_eq!(refused.to_string(), said);
    let short = Table::with_columns(["t", "x"].map(str::to_owned));
    let refused = table.append(&short).expect_err("fewer columns").to_string();
    assert_eq!(refused, "the tables have different columns: in column 2 the first has `y` and the second nothing");
    assert_eq!(table, before);
}

#[test]
fn each_name_that_there_is_counts_once() {
    let table = Table::new(&on(Pendulum::standard()).layout());
    let groups = ["states", "accelerations", "multipliers"];
    let unknown = table.clone().only(&["quaternion"]).expect_err("no such column").to_string();
    let more = table.columns().len() + groups.len() - 5;
    assert!(unknown.ends_with(&format!(" and {more} more")), "{unknown}");
}

#[test]
fn a_row_is_left_out_for_its_time_alone() {
    let table = |names: [&str; 2]| {
        let mut table = Table::with_columns(names.map(str::to_owned));
        table.push_row([1.0, 2.0]);
        table
    };
    for (names, rows) in [(["t", "x"], 1), (["x", "t"], 1), (["x", "y"], 2)] {
        let mut twice = table(names);
        twice.append(&table(names)).expect("the same columns");
        assert_eq!(twice.len(), rows, "{names:?}");
    }
}

/// The records of a text in CSV, strictly as in RFC 4180 but for `\n` at the end of a record; `None` if it is none.
fn read_csv(text: &str) -> Option<Vec<Vec<String>>> {
    let (mut records, mut record) = (Vec::new(), Vec::new());
    let mut rest = text;
    while !rest.is_empty() {
        let field = if let Some(mut inside) = rest.strip_prefix('"') {
            let mut field = String::new();
            loop {
                let (part, behind) = inside.split_once('"')?;
                field.push_str(part);
                match behind.strip_prefix('"') {
                    Some(more) => {
                        field.push('"');
                        inside = more;
                    }
                    None => break rest = behind,
                }
            }
            field
        } else {
            let end = rest.find([',', '\n', '\r', '"'])?;
            let field = rest[..end].to_owned();
            rest = &rest[end..];
            field
        };
        record.push(field);
        if let Some(behind) = rest.strip_prefix(',') {
            rest = behind;
            continue;
        }
        rest = rest.strip_prefix('\n')?;
        records.push(std::mem::take(&mut record));
    }
    record.is_empty().then_some(records)
}

#[test]
fn csv_comes_back_whatever_the_names_are() {
    let names = [
        "t",
        "a,b",
        "say \"x\"",
        "\"",
        "two\nlines",
        "old\rmac",
        "\r\n",
        " x ",
        "",
        "R&D <\"α\">",
        "'=1+1'",
        ",",
        "\t",
    ];
    let numbers = [0.1, -1.0 / 3.0, 5e-324, f64::MAX, f64::MIN_POSITIVE, -0.0, 1e21, 123_456_789.123_456_78];
    for count in 1..=names.len() {
        let names = &names[names.len() - count..];
        let mut table = Table::with_columns(names.iter().map(|&name| name.to_owned()));
        for (i, _) in numbers.iter().enumerate() {
            table.push_row(numbers.iter().copied().cycle().skip(i).take(count));
        }
        table.push_row([f64::INFINITY, f64::NEG_INFINITY].into_iter().cycle().take(count));
        table.push_row([f64::NAN]);
        let mut text = Vec::new();
        table.write_csv(&mut text).expect("a writer that takes all");
        let records = read_csv(std::str::from_utf8(&text).expect("text")).expect("fields of RFC 4180");
        assert_eq!(records[0], names);
        assert_eq!(records.len(), 1 + table.len());
        for (record, row) in records[1..].iter().zip(table.rows()) {
            let read: Vec<u64> = record.iter().map(|x| x.parse::<f64>().expect("a number").to_bits()).collect();
            assert_eq!(read, row.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_table_comes_back_to_the_bit() {
    let pendulum = on(Pendulum::standard());
    let mut table = Table::new(&pendulum.layout());
    let mut run = Simulation::of(&pendulum, Geodesic).fixed(0.037).expect("a start");
    run.run(0.5, 0.1, |x| table.push(x)).expect("steps");
    let text = serde_json::to_string(&table).expect("text");
    assert_eq!(serde_json::from_str::<Table>(&text).expect("a table"), table);
    let bytes = postcard::to_stdvec(&table).expect("bytes");
    assert_eq!(postcard::from_bytes::<Table>(&bytes).expect("a table"), table);
}

#[test]
fn a_table_with_gaps_comes_back_from_any_format() {
    let mut table = Table::with_columns(["t", "x", "y"].map(str::to_owned));
    table.push_row([0.0, f64::NAN, f64::INFINITY]);
    table.push_row([1.0, -2.5]);
    let text = serde_json::to_string(&table).expect("text");
    let back: Table = serde_json::from_str(&text).expect("a table");
    let finite = |x: &f64| x.is_finite().then_some(*x);
    assert!(back.rows().flatten().map(finite).eq(table.rows().flatten().map(finite)), "{back}");
    let whole: Table = serde_json::from_str(&text.replace("-2.5", "-2").replace("1.0", "1")).expect("whole numbers");
    assert_eq!(whole.rows().last().expect("a row")[..2], [1.0, -2.0]);
    let ragged = serde_json::from_str::<Table>(&text.replace(",-2.5", "")).expect_err("a number is missing");
    assert!(ragged.to_string().contains("5 numbers are no whole rows of 3 columns"), "{ragged}");
    let wrong = serde_json::from_str::<Table>(&text.replace("-2.5", "true")).expect_err("no number");
    assert!(wrong.to_string().contains("expected a number"), "{wrong}");
    let bytes = postcard::to_stdvec(&table).expect("bytes");
    let back: Table = postcard::from_bytes(&bytes).expect("a table");
    let bits = |x: &f64| x.to_bits();
    assert!(back.rows().flatten().map(bits).eq(table.rows().flatten().map(bits)), "{back}");
}
