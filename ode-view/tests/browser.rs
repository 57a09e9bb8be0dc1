//! Pictures as a browser shows them: nothing is cut off, labels can be read, and the film moves.
//!
//! Asks Chromium (`chromium`, `chromium-browser` or `google-chrome` of the path). Where there is none, the tests say so
//! and pass.

use std::path::PathBuf;
use std::process::Command;

use ode_model::prelude::*;
use ode_view::{Film, Plot};

model! {
    /// A pendulum with a label that goes with its bob.
    struct Pendulum {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 1.0;
        param g: Real [m/s^2] = 9.81;
        coord th: Angle;
        let tip = l * vec2(sin(th), -cos(th));
        kinetic = 0.5 * m * der(tip).dot(der(tip));
        potential = m * g * tip.y;
        output speed: Real [m/s] = norm(der(tip));
        show rod = line(vec2(0.0, 0.0), tip);
        show bob = disc(frame2(tip, th), 0.1m) with { color: crimson };
        show speed = text(tip, speed);
        init th = 2.0;
        init der(th) = 0.1;
    }
}

/// What the page's script says of each element: name, left, top, right, bottom and size of letters, in pixels of the
/// picture.
const MEASURE: &str = "
    const frame = svg.getBoundingClientRect();
    const lines = [`picture,0,0,${frame.width},${frame.height},0`];
    const scale = frame.width / svg.viewBox.baseVal.width;
    for (const e of svg.querySelectorAll('text, path, polyline, circle')) {
        const style = getComputedStyle(e);
        if (style.visibility === 'hidden') continue;
        const { left, top, right, bottom } = e.getBoundingClientRect();
        const size = e.tagName === 'text' ? parseFloat(style.fontSize) * scale : 0;
        lines.push([e.tagName, left - frame.left, top - frame.top, right - frame.left, bottom - frame.top, size]);
    }
    document.body.innerHTML = '<pre>' + lines.join('\\n') + '</pre>';
";

fn browser() -> Option<&'static str> {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(there);
    if found.is_none() {
        println!("skipped: there is no Chromium on the path");
    }
    found
}

/// The elements of a picture at a time of its film.
fn measured(browser: &str, name: &str, svg: &str, seconds: f64) -> Vec<(String, [f64; 5])> {
    let folder: PathBuf = std::env::temp_dir().join(format!("ode-view-browser-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let page = folder.join("page.html");
    let script = format!(
        "const svg = document.querySelector('svg'); svg.pauseAnimations(); svg.setCurrentTime({seconds});
        setTimeout(() => {{ {MEASURE} }}, 200);"
    );
    let text = format!("<html><body style=\"margin:0\">{svg}<script>{script}</script></body></html>");
    std::fs::write(&page, text).expect("a page");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--dump-dom",
            "--virtual-time-budget=1000",
            "--window-size=1000,800",
        ])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let _ = std::fs::remove_dir_all(&folder);
    let list = dom.split("<pre>").nth(1).and_then(|rest| rest.split("</pre>").next());
    let list = list.unwrap_or_else(|| panic!("no measurements in {dom}{}", String::from_utf8_lossy(&output.stderr)));
    let line = |line: &str| -> (String, [f64; 5]) {
        let mut parts = line.split(',');
        let name = parts.next().expect("a name").to_owned();
        let numbers: Vec<f64> = parts.map(|x| x.parse().expect("a number")).collect();
        (name, numbers.try_into().expect("five numbers"))
    };
    list.lines().map(line).collect()
}

/// Everything lies on the picture, letters are large enough at 800 pixels, and no label lies on another.
fn is_readable(elements: &[(String, [f64; 5])]) {
    let (_, [_, _, width, height, _]) = elements[0];
    for (name, [left, top, right, bottom, size]) in &elements[1..] {
        assert!(*left >= 0.0 && *top >= 0.0 && *right <= width && *bottom <= height, "{name} is cut off: {elements:?}");
        assert!(name != "text" || 800.0 * size / width >= 12.0, "letters of {size} pixels on {width}");
    }
    let labels: Vec<&[f64; 5]> = elements.iter().filter(|(name, _)| name == "text").map(|(_, place)| place).collect();
    for (i, a) in labels.iter().enumerate() {
        for b in &labels[i + 1..] {
            let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
            assert!(apart, "labels lie on each other: {a:?} {b:?}");
        }
    }
    assert!(elements.len() > 5, "{elements:?}");
}

#[test]
fn a_film_can_be_read_at_every_time() {
    let Some(browser) = browser() else { return };
    let pendulum = Pendulum::default();
    let mut film = Film::of(&pendulum);
    let mut run = Simulation::of(&pendulum, DormandPrince8).adaptive(1e-9).expect("a start");
    run.run(3.0, 1.0 / 30.0, |seen| film.record(seen)).expect("a run");
    let svg = film.svg().trace("bob").expect("a figure").text().expect("a film");
    let rods: Vec<[f64; 5]> = [0.0, 0.7, 1.5, 2.9]
        .into_iter()
        .map(|seconds| {
            let elements = measured(browser, &format!("film{seconds}"), &svg, seconds);
            is_readable(&elements);
            elements.iter().filter(|(name, _)| name == "path").nth(1).expect("the rod").1
        })
        .collect();
    assert!(rods.windows(2).all(|pair| pair[0] != pair[1]), "it moves: {rods:?}");
}

#[test]
fn a_plot_can_be_read() {
    let Some(browser) = browser() else { return };
    let pendulum = Pendulum::default();
    let mut table = Table::of(&pendulum);
    let mut run = Simulation::of(&pendulum, DormandPrince8).adaptive(1e-9).expect("a start");
    run.run(3.0, 0.01, |seen| table.record(seen)).expect("a run");
    for (name, columns) in [("one", &["th"][..]), ("three", &["th", "der(th)", "energy.kinetic"])] {
        let svg = Plot::over_time(&table, columns).and_then(|plot| plot.title("a swing").svg()).expect("a plot");
        is_readable(&measured(browser, name, &svg, 0.0));
    }
    let error = |order: i32| (0..8).map(move |k| (10.0_f64.powi(k), 10.0_f64.powi(-order * k)));
    let work = Plot::new().curve("GeneralizedAlpha::with_spectral_radius", error(1)).curve("DormandPrince8", error(2));
    let work = work.log_across().log_upward().marks().across("evaluations").upward("error of the last position");
    is_readable(&measured(browser, "work", &work.svg().expect("a plot"), 0.0));
    let long = |k: usize| format!("{k}{}", "WM Wide and long name ".repeat(5));
    let points = |k: usize| (0..20).map(move |i| (1e8 + i as f64, -1e-290 * (i + k) as f64));
    let plot = Plot::new().title(&long(0)).across(&long(1)).upward(&long(2));
    let many = (0..99).fold(plot, |plot, k| plot.curve(&long(k), points(k)));
    is_readable(&measured(browser, "many", &many.clone().svg().expect("a plot"), 0.0));
    is_readable(&measured(browser, "small", &many.size(300, 200).svg().expect("a plot"), 0.0));
}
