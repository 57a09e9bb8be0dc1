//! The examples of models with sets run, at a small size.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::duplicate_mod,
    clippy::print_stdout,
    reason = "the models are those of programs; their mains are not run"
)]

#[path = "../../examples/cloth.rs"]
mod cloth;
#[path = "../../examples/corotational.rs"]
mod corotational;
#[path = "../../examples/links.rs"]
mod links;
#[path = "../../examples/million_springs.rs"]
mod million_springs;
#[path = "../../examples/rope.rs"]
mod rope;
#[path = "../../examples/solid.rs"]
mod solid;
#[path = "../../examples/tensegrity.rs"]
mod tensegrity;
#[path = "../../examples/truss.rs"]
mod truss;

#[test]
#[ignore = "takes a minute without optimisation"]
fn cloth() {
    cloth::implicit(&cloth::sheet(10).expect("a sheet")).expect("a run");
}

#[test]
fn corotational() {
    let folder = std::env::temp_dir().join(format!("ode-model-corotational-{}", std::process::id()));
    corotational::turn([4, 2, 2], &folder).expect("a bar");
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn links() {
    links::drop(10).expect("a chain");
    links::film(4, 0.04).expect("a film");
}

#[test]
fn million_springs() {
    million_springs::fall([1_000, 1_000], false).expect("a sheet");
}

#[test]
fn rope() {
    rope::swing(50).expect("a rope");
}

#[test]
fn solid() {
    let folder = std::env::temp_dir().join(format!("ode-model-solid-{}", std::process::id()));
    solid::small(&folder).expect("solids");
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn tensegrity() {
    let folder = std::env::temp_dir().join(format!("ode-model-tensegrity-{}", std::process::id()));
    tensegrity::float(&folder).expect("a prism");
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn truss() {
    truss::load(20).expect("a mast");
}
