//! Plots of recorded columns.

#[cfg(feature = "png")]
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
#[cfg(feature = "png")]
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
fn measurements_are_marked_and_not_joined() {
    let points = (0..30).map(|k| (f64::from(k), f64::from(k % 7)));
    let plot = Plot::new().curve("predicted", points.clone()).points("measured", points);
    let svg = plot.svg().expect("a plot");
    let marks = svg.lines().filter(|line| line.starts_with("<circle") && line.contains("#D55E00")).count();
    assert_eq!((of_color(&svg, "#0072B2"), of_color(&svg, "#D55E00"), marks), (2, 0, 31), "one mark in the legend");
    assert!(svg.contains("\nmeasured\n"));
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
    assert_eq!(error(Plot::over_time(&none, &["x"])), "`x` has no points: nothing was recorded");
    assert_eq!(error(Plot::over_time(&table, &[])), "the plot is empty");
    assert_eq!(error(Plot::compare(&[], &["x"])), "the plot is empty");
    let timeless = Table::with_columns(["x", "y"].map(String::from));
    assert_eq!(error(Plot::over_time(&timeless, &["x"])), "there is no column `t`; there are `x`, `y`");
    assert_eq!(error(Plot::phase(&table, "th", "der(ht)")), "there is no column `der(ht)`; did you mean `der(th)`?");
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

/// The texts of a picture, without what XML needs.
fn texts(svg: &str) -> Vec<String> {
    let inner = |part: &str| {
        part.split_once(">\n").and_then(|(_, rest)| rest.split_once("\n</text>")).map(|(t, _)| t.to_owned())
    };
    svg.split("<text ").skip(1).filter_map(inner).collect()
}

#[test]
fn a_curve_that_hardly_changes_has_an_axis() {
    let upward = |f: &dyn Fn(f64) -> f64| {
        let plot = Plot::new().across("t").curve("E", (0..=50).map(|k| (f64::from(k), f(f64::from(k)))));
        let svg = plot.upward("E").svg().expect("a plot");
        // the names of the axes, numbers upward, and numbers across, which are eleven
        let mut texts = texts(&svg);
        texts.truncate(texts.len() - 11);
        texts
    };
    let constants = [0.0, 1.0, -1e300, f64::MAX, 5e-324, 1e-310, 1e-17];
    for constant in constants {
        let numbers = upward(&|_| constant);
        assert!(numbers.len() > 3, "{constant}: {numbers:?}");
    }
    assert!(upward(&|t| 1.0 + f64::EPSILON * t).contains(&"E, counted from 1".to_owned()));
    let flat = upward(&|t| if t < 20.0 { 1.0 } else { 1.0 + f64::EPSILON });
    assert!(flat.contains(&"0.92".to_owned()), "round-off is no change: {flat:?}");
    let small = upward(&|t| 1e-30 * t.sin());
    assert!(small.contains(&"-8e-31".to_owned()), "{small:?}");
    let far = upward(&|t| -1e6 + 0.01 * t.sin());
    assert!(far.contains(&"0.002".to_owned()) && far.contains(&"E, counted from -1000000".to_owned()), "{far:?}");
    for numbers in [small, far, upward(&|t| 12.345_678_901 * (1.0 + 1e-13 * t.sin()))] {
        assert!(numbers.len() > 4 && numbers.windows(2).all(|pair| pair[0] != pair[1]), "{numbers:?}");
    }
}

#[test]
fn a_whole_is_drawn_by_its_parts() {
    let mut table = Table::with_columns(["t", "r.x", "r.y", "der(r.x)", "der(r.y)"].map(String::from));
    (0..9).for_each(|k| table.push_row([0.0, 1.0, 2.0, 3.0, 4.0].map(|x| x + f64::from(k))));
    let names = |columns: &[&str]| texts(&Plot::over_time(&table, columns).and_then(|p| p.svg()).expect("a plot"));
    assert!(names(&["r"]).ends_with(&["r.x", "r.y"].map(String::from)));
    assert!(names(&["der(r)", "r.y"]).ends_with(&["der(r.x)", "der(r.y)", "r.y"].map(String::from)));
    let error = Plot::over_time(&table, &["q"]).expect_err("no such column").to_string();
    assert!(error.starts_with("there is no column `q`; there are `t`, `r.x`"), "{error}");
}

#[test]
fn runs_stand_in_one_figure() {
    let (a, b) = (table(), table());
    let names = |columns: &[&str]| {
        let plot = Plot::compare(&[("coarse", &a), ("fine", &b)], columns).expect("columns");
        texts(&plot.svg().expect("a plot"))
    };
    let one = names(&["th"]);
    assert_eq!(one[0], "th");
    assert!(one.ends_with(&["coarse", "fine"].map(String::from)), "{one:?}");
    let two = names(&["th", "der(th)"]);
    assert!(
        two.ends_with(&["coarse: th", "coarse: der(th)", "fine: th", "fine: der(th)"].map(String::from)),
        "{two:?}"
    );
}

#[test]
fn errors_stand_over_work() {
    let points = |order: i32| (1..7).map(move |k| (10.0 * 2_f64.powi(k), 2_f64.powi(-k * order)));
    let svg = Plot::work_precision([("second", points(2)), ("eighth", points(8))]).svg().expect("a plot");
    let texts = texts(&svg);
    for text in ["work", "error", "second", "eighth", "10⁻⁴", "10⁻¹²", "20", "500"] {
        assert!(texts.iter().any(|there| there == text), "{text}: {texts:?}");
    }
    assert_eq!(svg.matches("<circle").count(), 12 + 2, "marks, and those of the legend");
    // every decade of a wide axis has lines between its numbers
    let lines = |to: f64| {
        let plot = Plot::new().log_upward().curve("x", [(0.0, 1.0), (1.0, to)]);
        plot.svg().expect("a plot").matches("opacity=\"0.05\"").count()
    };
    assert_eq!((lines(1.0 + 1e-6), lines(1e5), lines(1e12)), (0, 43, 6));
}

#[test]
fn a_unit_is_as_long_upward_as_across() {
    let circle = (0..=360).map(|k| f64::from(k).to_radians()).map(|a| (5.0 + 2.0 * a.cos(), 2.0 * a.sin()));
    let plot = Plot::new().curve("circle", circle);
    let ratio = |svg: String| {
        let (_, points) = svg.split_once("points=\"").expect("a curve");
        let (_, curve) = points.split("points=\"").map(|points| (points.len(), points)).max().expect("a curve");
        let list = curve.split_once('"').expect("its end").0;
        let pairs = list.split_whitespace().map(|pair| pair.split_once(',').expect("a pair"));
        let (x, y): (Vec<f64>, Vec<f64>) =
            pairs.map(|(x, y)| (x.parse::<f64>().expect("x"), y.parse::<f64>().expect("y"))).unzip();
        let width = |v: &[f64]| v.iter().copied().fold(0.0, f64::max) - v.iter().copied().fold(1e9, f64::min);
        width(&x) / width(&y)
    };
    assert!(ratio(plot.svg().expect("a plot")) > 1.2);
    for size in [(800, 480), (300, 600)] {
        let ratio = ratio(plot.clone().size(size.0, size.1).equal_aspect().svg().expect("a plot"));
        assert!((ratio - 1.0).abs() < 0.005, "{ratio}");
    }
    for constant in [0.0, 7.0, 1e16] {
        let line = Plot::new().curve("line", [(0.0, constant), (1.0, constant)]).equal_aspect();
        assert!(texts(&line.svg().expect("a plot")).len() > 4);
    }
}

#[test]
fn a_number_that_is_not_finite_is_a_gap_with_a_name() {
    let mut table = Table::with_columns(["t", "x", "y"].map(String::from));
    for k in 0..40 {
        let x = match k {
            10 => f64::INFINITY,
            20 => f64::NEG_INFINITY,
            _ => f64::from(k),
        };
        table.push_row([0.1 * f64::from(k), x, 1.0]);
    }
    let svg = Plot::over_time(&table, &["x"]).and_then(|plot| plot.svg()).expect("a plot");
    assert_eq!(of_color(&svg, "#0072B2"), 3 + 1, "three pieces and the legend");
    assert!(texts(&svg).contains(&"x (gap at 1)".to_owned()));
    // what has no number across has none where it could stand
    let svg = Plot::phase(&table, "x", "y").and_then(|plot| plot.svg()).expect("a plot");
    assert!(texts(&svg).contains(&"y (gap at row 10)".to_owned()), "{:?}", texts(&svg));
    let mut short = Table::with_columns(["t", "x"].map(String::from));
    short.push_row([1.0, 2.0]);
    let svg = Plot::over_time(&short, &["x"]).and_then(|plot| plot.svg()).expect("a plot");
    assert_eq!(svg.matches("<circle").count(), 1, "one row is a point");
}

#[test]
fn any_name_can_be_drawn() {
    let points = [(0.0, 0.0), (1.0, 1.0)];
    let plot = Plot::new().title("<b>&amp;").across("a & \"b\"").upward("c'd").curve("p<q> ]]>", points);
    let svg = plot.curve("line\nbreak\u{0}\u{1b}", points).svg().expect("a plot");
    let names = ["&lt;b&gt;&amp;amp;", "a &amp; &quot;b&quot;", "c&apos;d", "p&lt;q&gt; ]]&gt;", "line break  "]
        .map(String::from);
    assert!(names.iter().all(|name| texts(&svg).contains(name)), "{:?}", texts(&svg));
    assert!(!svg.contains(|c: char| c.is_control() && c != '\n'), "no XML has these");
}

#[test]
fn more_curves_than_colors_are_told_apart_by_dashes() {
    let plot = (0..7).fold(Plot::new(), |plot, k| plot.curve(&format!("q[{k}]"), [(0.0, 0.0), (1.0, f64::from(k))]));
    let svg = plot.svg().expect("a plot");
    assert!(of_color(&svg, "#0072B2") > 10 && of_color(&svg, "#D55E00") == 2);
}

/// The pixels of a PNG, three numbers each, and how many there are across and upward.
#[cfg(feature = "png")]
fn pixels(path: &std::path::Path) -> (Vec<u8>, [usize; 2]) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("a file"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    (pixels, [info.width as usize, info.height as usize])
}

#[cfg(feature = "png")]
#[test]
fn a_png_has_the_colors_of_its_curves() {
    let path = folder("png").join("plot.PNG");
    Plot::over_time(&table(), &["th", "der(th)"]).expect("columns").size(640, 400).write(&path).expect("a file");
    let (pixels, size) = pixels(&path);
    assert_eq!(size, [640, 400]);
    let count = |color: [u8; 3]| pixels.chunks_exact(3).filter(|pixel| *pixel == color).count();
    assert!(count([255; 3]) > 200_000 && count([0, 114, 178]) > 200 && count([213, 94, 0]) > 200);
}

#[cfg(feature = "png")]
#[test]
fn a_line_of_a_png_is_as_wide_at_any_slope() {
    let folder = folder("slopes");
    let width = |(x, y): (f64, f64)| {
        let path = folder.join("line.png");
        Plot::new().curve("", [(0.0, 0.0), (x, y)]).equal_aspect().size(400, 300).write(&path).expect("a file");
        let (pixels, [across, _]) = pixels(&path);
        // How blue each pixel is, where all else is grey; and from where to where any is.
        let (mut ink, mut low, mut high) = (0.0, [f64::MAX; 2], [0.0_f64; 2]);
        for (k, pixel) in pixels.chunks_exact(3).enumerate() {
            let blue = f64::from(pixel[2].saturating_sub(pixel[0])) / 178.0;
            ink += blue;
            for (i, at) in [k % across, k / across].into_iter().enumerate().filter(|_| blue > 0.5) {
                (low[i], high[i]) = (low[i].min(at as f64), high[i].max(at as f64));
            }
        }
        ink / (high[0] - low[0]).hypot(high[1] - low[1])
    };
    let widths = [(1.0, 0.0), (10.0, 1.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.0), (1.0, 9.0), (0.0, 1.0)].map(width);
    assert!(widths.iter().all(|width| (2.0..2.4).contains(width)), "{widths:?}");
}

#[cfg(not(feature = "png"))]
#[test]
fn a_png_needs_its_feature() {
    let error = Plot::over_time(&table(), &["th"]).expect("a column").write("plot.png").expect_err("no PNG");
    assert_eq!(error.to_string(), "the picture cannot be drawn: PNG needs the feature `png` of ode-view");
}
