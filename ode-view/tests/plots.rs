//! Plots of recorded columns.

use std::path::PathBuf;

use ode_runtime::Table;
use ode_view::{Plot, ViewError};

/// A decaying swing, a column with a gap from 4 to 5, and a column without numbers.
fn table() -> Table {
    let mut table = Table::with_columns(["t", "th", "der(th)", "hole", "never"].map(String::from));
    for k in 0..=200 {
        let t = 0.05 * f64::from(k);
        let hole = if (4.0..5.0).contains(&t) { f64::NAN } else { 0.5 * (3.0 * t).sin() };
        table.push_row([t, (-0.2 * t).exp() * t.cos(), -(-0.2 * t).exp() * t.sin(), hole, f64::NAN]);
    }
    table
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ode-view-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Curves of a color.
fn of_color(svg: &str, color: &str) -> usize {
    svg.lines().filter(|line| line.starts_with("<polyline") && line.contains(color)).count()
}

#[test]
fn curves_have_names_and_axes_units() {
    let svg = Plot::over_time(&table(), &["th", "der(th)"]).expect("columns").title("a swing").svg().expect("a plot");
    assert_eq!((of_color(&svg, "#0072B2"), of_color(&svg, "#D55E00")), (2, 2), "each with its line in the legend");
    for text in ["a swing", "\nt\n", "\nth\n", "\nder(th)\n"] {
        assert!(svg.contains(text), "{text}");
    }
    // one curve is named by its axis
    let svg = Plot::over_time(&table(), &["th"]).expect("a column").svg().expect("a plot");
    assert_eq!(svg.matches("\nth\n").count(), 1);
}

#[test]
fn a_gap_is_left_where_there_is_no_number() {
    let whole = Plot::over_time(&table(), &["th"]).expect("a column").svg().expect("a plot");
    let torn = Plot::over_time(&table(), &["hole"]).expect("a column").svg().expect("a plot");
    assert_eq!((of_color(&whole, "#0072B2"), of_color(&torn, "#0072B2")), (1, 3), "two pieces, and one of the legend");
    assert!(torn.contains("hole (gap at 4)"));
    // what is not positive has no logarithm
    let logarithmic = Plot::over_time(&table(), &["th"]).expect("a column").log_upward().svg().expect("a plot");
    assert!(logarithmic.contains("10⁻") && logarithmic.contains("th (gap at 1.6)"), "{logarithmic}");
}

#[test]
fn what_cannot_be_drawn_is_named() {
    let table = table();
    let error =
        |plot: Result<Plot, ViewError>| plot.and_then(|plot| plot.svg()).expect_err("nothing to draw").to_string();
    assert_eq!(error(Plot::over_time(&table, &["the"])), "there is no column `the`; did you mean `th`?");
    assert_eq!(error(Plot::over_time(&table, &["never"])), "`never` has no number that can be drawn");
    assert_eq!(error(Ok(Plot::new())), "the plot is empty");
    let none = Table::with_columns(["t", "x"].map(String::from));
    assert_eq!(error(Plot::over_time(&none, &["x"])), "`x` has no number that can be drawn");
    assert_eq!(error(Plot::over_time(&table, &["th"]).map(|p| p.size(10, 100))), "the width of a plot cannot be 10");
    // a constant, one point, and enormous numbers have axes too
    for points in [vec![(0.0, 3.0), (1.0, 3.0)], vec![(0.0, 0.0)], vec![(0.0, -1e300), (1e-300, 1e300)]] {
        let svg = Plot::new().curve("c", points).svg().expect("a plot");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
    let far = |points| error(Ok(Plot::new().curve("c", points)));
    assert_eq!(far(vec![(0.0, -1e308), (1.0, 1e308)]), "the height of an axis cannot be inf");
    assert_eq!(far(vec![(f64::MAX, 0.0), (f64::MIN, 1.0)]), "the width of an axis cannot be inf");
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = folder("whole");
    let plot = Plot::over_time(&table(), &["th"]).expect("a column");
    let path = folder.join("a/deep/plot.svg");
    plot.write(&path).expect("a file");
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), plot.svg().expect("a plot"));
    // a file stands where a folder would have to be
    let error = plot.write(path.join("plot.svg")).expect_err("no folder");
    assert!(matches!(&error, ViewError::File { path, .. } if path.ends_with("plot.svg/plot.svg")), "{error}");
    // a folder stands where the file would be
    std::fs::create_dir(folder.join("taken.svg")).expect("a folder");
    assert!(plot.write(folder.join("taken.svg")).is_err());
    let left: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[cfg(feature = "png")]
#[test]
fn a_png_has_the_colors_of_its_curves() {
    let path = folder("png").join("plot.PNG");
    Plot::over_time(&table(), &["th", "der(th)"]).expect("columns").size(640, 400).write(&path).expect("a file");
    let mut reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).expect("a file")))
        .read_info()
        .expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!((info.width, info.height), (640, 400));
    let count = |color: [u8; 3]| pixels.chunks_exact(3).filter(|pixel| *pixel == color).count();
    assert!(count([255; 3]) > 200_000 && count([0, 114, 178]) > 200 && count([213, 94, 0]) > 200);
}

#[cfg(not(feature = "png"))]
#[test]
fn a_png_needs_its_feature() {
    let error = Plot::over_time(&table(), &["th"]).expect("a column").write("plot.png").expect_err("no PNG");
    assert_eq!(error.to_string(), "the picture cannot be drawn: PNG needs the feature `png` of ode-view");
}
