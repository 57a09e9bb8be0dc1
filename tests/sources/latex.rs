//! LaTeX is what TeX reads, with amsmath alone, and its equations stay on the page.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Names that mean something to TeX, to Rust or to mathematics, and everything that can be in an expression.
const ODD: &str = "model! { pub struct Odd_Names_1 {
    param e: Real = 2.0; param pi: Real = 3.0; param i: Real = 1.5; param sin: Real = 0.5; param r#type: Real = 1.0;
    param alpha_1_x: Real = 1.0; param frac: Real = 1.0; param l_: Real = 1.0;
    param é: Real = 1.0; param s0: Real = 1.0; param ε2: Real = 1.0; param a_long_name_of_a_parameter: Real = 1.0;
    extern fn bump_2(x: Real) -> Real { dual: bump }
    coord x: Real; coord r: Vec3; coord (Q, W): SO3; coord θ: Angle;
    kinetic = 0.5 * e * sq(der(x)) + 0.5 * pi * dot(der(r), der(r)) + 0.5 * sq(der(θ)) * i;
    kinetic = 0.5 * dot(W, W);
    let far = if x < -1.5 && !(r.x <= 0.0 || θ < x) { x / (1.0 + sq(r.y / (e + 1.0 / (pi + sq(x))))) }
        else { -sqrt(sq(x) + 2.5e-7) };
    potential = far * sin + bump_2(x * r.x) + hypot(r.x, r.z) * powf(e, 2.0 * i) + atan2(r.y + 3.0, 2.0) * frac
        - 1.0e21 * l_ + é * s0 * ε2 * a_long_name_of_a_parameter * sq(cosh(x)) * r#type * tanh(alpha_1_x * θ);
} }";

/// The models of the examples, and the odd one.
fn documents() -> Vec<(String, String)> {
    let files = fs::read_dir(crate::root().join("examples")).expect("a folder").map(|e| e.expect("a file").path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
    files.sort();
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    // that of the quadruped has a part in another package
    files.retain(|path| name(path) != "quadruped");
    let text = |path: &Path| ode_codegen::latex_file(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut all: Vec<(String, String)> = files.iter().map(|path| (name(path), text(path))).collect();
    all.push(("odd".to_owned(), ode_codegen::latex_source(ODD).unwrap_or_else(|e| panic!("{e}"))));
    assert!(all.len() > 10);
    all
}

/// Commands of LaTeX and amsmath.
const COMMANDS: &str =
    "begin end left right bigl bigr Bigl Bigr begingroup endgroup allowdisplaybreaks paragraph noindent
    usepackage quad frac sqrt mathit mathrm mathsf text operatorname dot ddot imath jmath le land lor lnot cdot
    sin cos tan sinh cosh tanh arcsin arccos arctan exp ln
    alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi chi psi
    omega epsilon vartheta phi varrho Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega";

/// The commands of a text, in order, with what stands behind each.
fn commands(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(place) = rest.find('\\') {
        let after = &rest[place + 1..];
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let length = letters.max(1);
        found.push((&after[..length], &after[length..]));
        rest = &after[length..];
    }
    found
}

#[test]
fn latex_is_balanced_and_has_commands_that_tex_knows() {
    let known: Vec<&str> = COMMANDS.split_whitespace().chain(["\\", ",", "_", "(", ")"]).collect();
    for (name, text) in documents() {
        let mut open: Vec<&str> = Vec::new();
        for (command, rest) in commands(&text) {
            assert!(known.contains(&command), "{name}: \\{command}{rest}");
            let of = rest.strip_prefix('{').and_then(|rest| rest.split('}').next()).unwrap_or("");
            let opened = match command {
                "begin" | "left" | "bigl" | "Bigl" | "begingroup" => {
                    open.push(if command == "begin" { of } else { command });
                    continue;
                }
                "end" => of,
                "right" => "left",
                "bigr" => "bigl",
                "Bigr" => "Bigl",
                "endgroup" => "begingroup",
                _ => continue,
            };
            assert_eq!(open.pop(), Some(opened), "{name}: \\{command}{rest}");
        }
        assert!(open.is_empty(), "{name}: {open:?}");
        for line in text.lines().filter(|line| !line.starts_with('%')) {
            let mut depth = 0_i32;
            for c in line.replace("\\{", "").replace("\\}", "").chars() {
                depth += i32::from(c == '{') - i32::from(c == '}');
                assert!(depth >= 0 && !matches!(c, '#' | '$' | '%' | '~'), "{name}: {line}");
            }
            assert_eq!(depth, 0, "{name}: {line}");
            let outside = line.split("\\text{").next().unwrap_or(line);
            assert!(outside.is_ascii(), "{name}: {line}");
            // one for the column, and two in each choice
            assert!(line.matches('&').count() <= 1 + 2 * line.matches("{cases}").count(), "{name}: {line}");
        }
    }
}

#[test]
fn tex_sets_every_model_within_its_page() {
    if Command::new("pdflatex").arg("--version").output().is_err() {
        println!("skipped: there is no pdflatex on the path");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("latex");
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in documents() {
        let whole = format!(
            "\\documentclass{{article}}\n\\usepackage{{amsmath}}\n\\begin{{document}}\n{text}\\end{{document}}\n"
        );
        fs::write(folder.join(format!("{name}.tex")), whole).expect("a file");
        let options = ["-interaction=nonstopmode", "-halt-on-error", "-draftmode"];
        let run = Command::new("pdflatex").args(options).arg(&name).current_dir(&folder).output().expect("a process");
        let log = fs::read(folder.join(format!("{name}.log"))).expect("a log");
        let log = String::from_utf8_lossy(&log);
        let bad = |line: &&str| ["!", "Overfull", "Missing character"].iter().any(|start| line.starts_with(start));
        assert!(run.status.success() && !log.lines().any(|line| bad(&line)), "{name}: {log}");
    }
}
