//! Meshes from files, and what they give.

use std::path::PathBuf;

use ode_mesh::{Cells, Fault, Field, Kind, Mesh, MeshError, Series};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A folder of this test alone.
fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ode-mesh-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// What is wrong with a text in a file of this ending.
fn fault(ending: &str, text: impl AsRef<[u8]>) -> Fault {
    read(ending, text).expect_err("no mesh").fault
}

fn read(ending: &str, text: impl AsRef<[u8]>) -> Result<Mesh, MeshError> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let folder = scratch(&format!("{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    let path = folder.join(format!("mesh.{ending}"));
    std::fs::write(&path, text).expect("a file");
    let found = Mesh::read(&path);
    std::fs::remove_dir_all(folder).expect("the folder");
    if let Err(error) = &found {
        assert!(error.file.as_ref() == Some(&path) && error.to_string().starts_with(&path.display().to_string()));
    }
    found
}

/// Both versions of Gmsh's format, as Gmsh writes them, are one mesh.
#[test]
fn a_cube_of_gmsh() {
    let (four, two) = (Mesh::read(data("cube_4.msh")).expect("4.1"), Mesh::read(data("cube_2.msh")).expect("2.2"));
    assert_eq!(four, two);
    let volumes = four.volumes().expect("tetrahedra");
    assert!((volumes.iter().sum::<f64>() - 1.0).abs() < 1e-12 && volumes.iter().all(|&volume| volume > 0.0));
    assert!((four.areas().expect("triangles").iter().sum::<f64>() - 6.0).abs() < 1e-12);
    assert!((four.shares().expect("tetrahedra").iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // the triangles of the file are the surface
    let faces = |faces: Vec<[usize; 3]>| {
        let mut faces: Vec<_> = faces
            .into_iter()
            .map(|mut face| {
                face.sort_unstable();
                face
            })
            .collect();
        faces.sort_unstable();
        faces
    };
    assert_eq!(faces(four.surface().expect("faces")), faces(four.triangles().expect("triangles")));
}

/// Files of VTK itself, as text and encoded, compressed and not.
#[test]
fn files_of_vtk() {
    let text = Mesh::read(data("text.vtu")).expect("a mesh");
    assert_eq!(text.cells().lines, [[0, 1]]);
    assert_eq!((text.points()[4], text.tetrahedra().expect("two").len()), ([1.0; 3], 2));
    for name in ["base64.vtu", "appended_zlib.vtu", "text_4.vtk", "binary_5.vtk"] {
        assert_eq!(Mesh::read(data(name)).expect(name), text, "{name}");
    }
}

/// Groups share nodes, which keep the numbers of the file.
#[test]
fn a_wavefront_object() {
    let mesh = Mesh::read(data("two.obj")).expect("a mesh");
    assert_eq!(mesh.triangles().expect("four"), [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]]);
    assert_eq!(mesh.lines().expect("three"), [[4, 6], [6, 7], [7, 5]]);
    assert_eq!(mesh.boundary(), [0, 1, 2, 3, 4, 5]);
    let lines = mesh.only(Kind::Line).expect("lines");
    assert_eq!(lines.lines().expect("three"), [[0, 2], [2, 3], [3, 1]]);
    assert_eq!((lines.points().len(), lines.boundary()), (4, vec![0, 1]));
}

/// Surfaces are closed, and seen from outside their corners run counter-clockwise: the divergence theorem.
#[test]
fn a_surface_encloses_its_volume() {
    let block = Mesh::block([2.0, 1.0, 0.5], [4, 3, 2]).expect("a block");
    let (mut volume, mut area) = (0.0, [0.0; 3]);
    for [a, b, c] in block.surface().expect("faces").into_iter().map(|face| face.map(|node| block.points()[node])) {
        let [u, v]: [[f64; 3]; 2] = [b, c].map(|p| std::array::from_fn(|k| p[k] - a[k]));
        for k in 0..3 {
            let normal = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
            area[k] += normal;
            volume += a[k] * normal / 6.0;
        }
    }
    assert!((volume - 1.0).abs() < 1e-12 && area.iter().all(|x| x.abs() < 1e-12), "{volume} {area:?}");
    assert_eq!(block.boundary().len(), 5 * 4 * 3 - 3 * 2);
}

/// A linear function has its gradient in every element.
#[test]
fn gradients_are_those_of_linear_functions() {
    let mesh = Mesh::read(data("cube_4.msh")).expect("a cube");
    let slope = [2.0, -3.0, 0.5];
    let value = |node: usize| (0..3).map(|k| slope[k] * mesh.points()[node][k]).sum::<f64>();
    for (nodes, rows) in mesh.tetrahedra().expect("some").iter().zip(mesh.gradients().expect("some")) {
        for k in 0..3 {
            let found: f64 = (0..3).map(|row| (value(nodes[row + 1]) - value(nodes[0])) * rows[row][k]).sum();
            assert!((found - slope[k]).abs() < 1e-12);
        }
    }
}

/// A file that ends anywhere is refused, unless only white space is missing.
#[test]
fn files_cut_short() {
    for name in
        ["cube_4.msh", "cube_2.msh", "text.vtu", "base64.vtu", "appended_zlib.vtu", "text_4.vtk", "binary_5.vtk"]
    {
        let bytes = std::fs::read(data(name)).expect("a file");
        let ending = name.rsplit('.').next().expect("an ending");
        for length in (0..bytes.len().saturating_sub(20)).step_by(bytes.len() / 100 + 1) {
            let what = fault(ending, &bytes[..length]);
            let typed = matches!(what, Fault::CutShort { .. } | Fault::Syntax { .. } | Fault::MissingNode { .. });
            assert!(typed, "{name} cut to {length} bytes: {what}");
        }
    }
    let text = std::fs::read_to_string(data("cube_4.msh")).expect("a text");
    let (nodes, elements) = (text.find("$EndNodes").expect("nodes"), text.find("$EndElements").expect("elements"));
    for (end, section) in [(nodes, "`$Nodes`"), (elements, "`$Elements`")] {
        let Fault::CutShort { within } = fault("msh", &text[..end]) else { panic!("cut short") };
        assert_eq!(within, section);
    }
}

/// A byte that is wrong gives a mesh or an error, never a panic.
#[test]
fn damaged_files() {
    for name in ["cube_4.msh", "text.vtu", "base64.vtu", "appended_zlib.vtu", "text_4.vtk", "binary_5.vtk", "two.obj"] {
        let bytes = std::fs::read(data(name)).expect("a file");
        let ending = name.rsplit('.').next().expect("an ending");
        for at in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
            for byte in *b"9-<" {
                let mut damaged = bytes.clone();
                damaged[at] = byte;
                let _ = read(ending, damaged);
            }
        }
    }
}

#[test]
fn what_is_wrong_has_its_place() {
    let said = |ending: &str, text: &str| fault(ending, text).to_string();
    assert!(matches!(fault("stl", ""), Fault::Ending { .. }));
    assert!(matches!(Mesh::read(data("none.obj")).unwrap_err().fault, Fault::File(_)));
    assert_eq!(said("obj", "v 0 0 0\nv 1 0 0\nl 1 3"), "line 0 joins node 3, which is missing");
    assert_eq!(said("obj", "v 0 0 0\nl 1 0"), "line 0 joins node 0, which is missing");
    assert_eq!(said("obj", "v 0 0 nan\nv 1 0 0\nl 1 2"), "coordinate 2 of node 0 is not finite");
    assert_eq!(said("obj", "v 0 0 0\nv 0 0 0\nv 1 0 0\nl 1 3\nl 1 2"), "line 1 has no length: 0e0");
    assert_eq!(said("obj", "v 0 0 0\nv 1 0 0\nf 1 2"), "line 3: 2 nodes instead of 3 or more");
    assert_eq!(said("obj", "v 0 0\n"), "line 1: z is missing");
    assert_eq!(said("obj", "v 0 0 0\ncurv 0 1 1\n"), "line 2: `curv` is not known");
    assert_eq!(said("obj", "v 0 0 0\n"), "there is no line, triangle or tetrahedron");
    assert_eq!(fault("msh", std::fs::read(data("cube_binary.msh")).expect("a file")).to_string(), {
        "line 2: the file is binary: save it as text, `Mesh.Binary = 0`"
    });
    let Fault::Unsupported { cell, .. } = Mesh::read(data("cube_second.msh")).unwrap_err().fault else { panic!() };
    assert_eq!(cell, "an element of higher order (type 8)");
    let four = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n7\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n\
        $EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 7\n$EndElements\n";
    assert_eq!(read("msh", four).expect("a mesh").tetrahedra().expect("one"), [[0, 1, 2, 3]]);
    assert_eq!(said("msh", &four.replace("1 2 3 7", "1 2 3 4")), "tetrahedron 0 joins node 4, which is missing");
    assert_eq!(said("msh", &four.replace("0 0 1\n$", "0.2 0.2 0\n$")), "tetrahedron 0 has no volume: 0e0");
    assert_eq!(said("msh", &four.replace("0 0 1\n$", "0 0 inf\n$")), "coordinate 2 of node 3 is not finite");
    assert_eq!(said("msh", &four.replace("4.1", "4.0")), {
        "line 2: known versions are 4.1 and 2.2: `Mesh.MshFileVersion = 4.1`"
    });
    assert_eq!(said("msh", &four.replace("\n2\n3", "\n2\n2")), "line 9: node 2 is there twice");
    assert!(matches!(read("obj", "v 0 0 0\nv 1 0 0\nl 1 2").expect("a mesh").tetrahedra(), Err(error) if {
        matches!(error.fault, Fault::No(Kind::Tetrahedron))
    }));
    let legacy = std::fs::read_to_string(data("text_4.vtk")).expect("a text");
    assert_eq!(said("vtk", &legacy.replace("4 0 1 2 3", "4 0 1 2 5")), "tetrahedron 0 joins node 5, which is missing");
}

/// The volume of a tetrahedron is positive, whatever the order of a file.
#[test]
fn tetrahedra_are_right_handed() {
    let corner = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mesh = Mesh::new(corner, Cells { tetrahedra: vec![[0, 2, 1, 3]], ..Cells::default() }).expect("a mesh");
    assert_eq!(mesh.tetrahedra().expect("one"), [[0, 2, 3, 1]]);
    assert!(mesh.volumes().expect("one")[0] > 0.0);
}

/// What was written is read again, and a list has a file for each time.
#[test]
fn series_are_read_again() {
    let folder = scratch("series");
    let block = Mesh::block([1.0, 1.0, 1.0], [2, 2, 2]).expect("a block");
    let mut series = Series::new(folder.join("run.pvd"), &block).expect("a series");
    let (velocity, volume) = (vec![[0.1, 0.2, 0.3]; 27], block.volumes().expect("tetrahedra"));
    let fields = [Field::vectors("velocity", &velocity), Field::scalars("a < b & c", &volume).of_cells()];
    for time in [0.0, 0.25] {
        series.write(time, block.points(), &fields).expect("a file");
    }
    assert_eq!(Mesh::read(folder.join("run/000001.vtu")).expect("a mesh"), block);
    let file = std::fs::read_to_string(folder.join("run/000001.vtu")).expect("a text");
    assert!(file.contains("Name=\"a &lt; b &amp; c\""));
    let list = std::fs::read_to_string(folder.join("run.pvd")).expect("a list");
    assert!(list.contains("timestep=\"0.25\" part=\"0\" file=\"run/000001.vtu\""), "{list}");

    let few = [Field::scalars("volume", &volume[1..]).of_cells()];
    let error = series.write(0.5, block.points(), &few).unwrap_err();
    assert!(matches!(error.fault, Fault::Misfit { found: 47, expected: 48, .. }), "{error}");
    let broken = [Field::vectors("velocity", &[[f64::NAN; 3]; 27])];
    assert!(matches!(
        series.write(0.5, block.points(), &broken).unwrap_err().fault,
        Fault::Undefined { number: 0, .. }
    ));
    assert!(matches!(series.write(0.25, block.points(), &[]).unwrap_err().fault, Fault::Time { .. }));
    assert!(matches!(series.write(0.5, &[], &[]).unwrap_err().fault, Fault::Misfit { .. }));
    assert!(!folder.join("run/000002.vtu").exists());
    std::fs::remove_dir_all(folder).expect("the folder");
}
