//! What a 20-link pendulum chain costs to build: CPU seconds of rustc, macro included, in debug and in release.
//!
//! `cargo bench --bench build_time` builds `examples/chain.rs` twice a profile, the second time with every dependency
//! ready, and reads the CPU time of that second build from /proc. Linux only.

#![allow(clippy::print_stdout, reason = "a benchmark is a program that prints")]

use std::fs;
use std::process::{Command, Stdio};

/// CPU seconds of all children this process has waited for.
fn children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // after the command's name: cutime and cstime are fields 16 and 17 of the line, in hundredths of a second
    let ticks = |i: usize| fields.get(i).and_then(|t| t.parse::<f64>().ok()).unwrap_or(f64::NAN);
    (ticks(13) + ticks(14)) / 100.0
}

fn build(profile: &str) -> bool {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    Command::new(cargo)
        .args(["rustc", "--quiet", "--profile", profile, "--example", "chain"])
        // as a user's workspace has it: debug information, and a compiler that is not optimised
        .args(["--config", "profile.dev.debug=true", "--config", "profile.dev.package.ode-codegen.opt-level=0"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        // what an incremental build keeps would make the second one free
        .env("CARGO_INCREMENTAL", "0")
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

fn main() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/chain.rs");
    println!("{:<12} {:>14}", "profile", "CPU seconds");
    for profile in ["dev", "release"] {
        let ready = build(profile);
        // a new time stamp is all that the second build has to do
        let touched =
            fs::File::options().append(true).open(source).and_then(|f| f.set_modified(std::time::SystemTime::now()));
        let before = children();
        let built = ready && touched.is_ok() && build(profile);
        let seconds = children() - before;
        println!("{profile:<12} {:>14}", if built { format!("{seconds:.2}") } else { "does not build".to_owned() });
    }
}
