//! A film as animated glTF 2.0: one binary file for Blender and for viewers of the web.

mod buffer;
mod placed;
mod surface;

use std::collections::BTreeMap;
use std::path::Path;

use ode_runtime::Form;
use serde_json::{Value, json};

use super::{Film, View, scene};
use crate::color::Color;
use crate::{ViewError, file};
use buffer::{Buffer, Rows};
use placed::{Placed, Solid, placed};
use surface::Surface;

/// A film as animated glTF 2.0, in one binary file (`.glb`).
///
/// Each figure is a node with its name, moved, turned and stretched from frame to frame. Points of the plane lie at
/// z = 0; in space z points upward. A `mesh` is a node with the path of its file among its `extras`, for whoever puts
/// the file there, and a `text` is a node with its unit.
#[derive(Clone, Debug)]
pub struct Gltf<'a> {
    film: &'a Film,
    speed: f64,
}

/// Everything that the file's JSON lists.
#[derive(Default)]
struct Document {
    buffer: Buffer,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// the mesh of a solid of a color
    known: BTreeMap<(Solid, Color), usize>,
    /// points, normals and triangles of a solid
    surfaces: BTreeMap<Solid, (usize, Option<(usize, usize)>)>,
}

impl Film {
    /// The film as animated glTF 2.0.
    pub fn gltf(&self) -> Gltf<'_> {
        Gltf { film: self, speed: 1.0 }
    }
}

impl Gltf<'_> {
    /// Seconds of the model for a second of the film; 1 unless said.
    #[must_use]
    pub fn speed(mut self, speed: f64) -> Self {
        self.speed = speed;
        self
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Those of [`Gltf::bytes`], [`ViewError::Ending`] and [`ViewError::File`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), ViewError> {
        file::ending(path.as_ref(), &["glb"])?;
        file::write(path.as_ref(), &self.bytes()?)
    }

    /// The file.
    ///
    /// # Errors
    /// As [`Svg::text`](super::Svg::text).
    pub fn bytes(&self) -> Result<Vec<u8>, ViewError> {
        self.film.check(self.speed)?;
        let film = self.film;
        let (low, high) = scene::bounds(film, View::default());
        let thin = 0.005 * scene::extent(low, high);
        let seconds = self.seconds();
        let mut document = Document::default();
        let times = document.buffer.floats(Rows::Times, &seconds);
        for (figure, own) in film.figures.iter().zip(film.colors()) {
            let color = figure.color.unwrap_or(own);
            let frames: Vec<Vec<Placed>> = film.each(figure).map(|x| placed(figure, x, thin)).collect();
            for part in 0..frames[0].len() {
                let one: Vec<Placed> = frames.iter().map(|frame| frame[part]).collect();
                let node = document.node(&figure.name, one[0], color);
                match &figure.form {
                    Form::Mesh(file) => document.nodes[node]["extras"] = json!({ "file": file }),
                    Form::Text(unit) => document.nodes[node]["extras"] = json!({ "unit": unit }),
                    _ => {}
                }
                if seconds.len() > 1 {
                    document.moved(node, times, &one);
                }
            }
        }
        Ok(document.file(film.figures.iter().any(|figure| figure.space)))
    }

    /// The times of the frames, from 0. The file wants each later than the last, also in single precision: of two
    /// frames at one time, as at an event, the second comes an instant later.
    fn seconds(&self) -> Vec<[f64; 1]> {
        let first = self.film.times[0];
        let mut last = f32::NEG_INFINITY;
        let later = |t: &f64| {
            last = (((t - first) / self.speed) as f32).max(last.next_up());
            [f64::from(last)]
        };
        self.film.times.iter().map(later).collect()
    }
}

impl Document {
    /// A node with a solid on it, where it is in the first frame.
    fn node(&mut self, name: &str, placed: Placed, color: Color) -> usize {
        let Placed { solid, translation, rotation: [w, x, y, z], scale } = placed;
        let mut node = json!({ "name": name, "translation": translation, "rotation": [x, y, z, w], "scale": scale });
        if let Some(mesh) = self.mesh(solid, color) {
            node["mesh"] = json!(mesh);
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn mesh(&mut self, solid: Solid, color: Color) -> Option<usize> {
        if let Some(&mesh) = self.known.get(&(solid, color)) {
            return Some(mesh);
        }
        let (points, faces) = self.surface(solid)?;
        let linear = color.map(|c| (f64::from(c) / 255.0).powf(2.2));
        self.materials.push(json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": [linear[0], linear[1], linear[2], 1.0],
                "metallicFactor": 0.0,
                "roughnessFactor": 0.7,
            },
        }));
        const LINE_STRIP: u32 = 3;
        let mut primitive = json!({ "attributes": { "POSITION": points }, "material": self.materials.len() - 1 });
        match faces {
            Some((normals, triangles)) => {
                primitive["attributes"]["NORMAL"] = json!(normals);
                primitive["indices"] = json!(triangles);
            }
            None => primitive["mode"] = json!(LINE_STRIP),
        }
        self.meshes.push(json!({ "primitives": [primitive] }));
        self.known.insert((solid, color), self.meshes.len() - 1);
        Some(self.meshes.len() - 1)
    }

    fn surface(&mut self, solid: Solid) -> Option<(usize, Option<(usize, usize)>)> {
        if let Some(&known) = self.surfaces.get(&solid) {
            return Some(known);
        }
        let Surface { points, normals, triangles } = Surface::of(solid)?;
        let points = self.buffer.floats(Rows::Points, &points);
        let faces = (!triangles.is_empty())
            .then(|| (self.buffer.floats(Rows::Normals, &normals), self.buffer.indices(&triangles)));
        self.surfaces.insert(solid, (points, faces));
        Some((points, faces))
    }

    /// The channels of a node that changes.
    fn moved(&mut self, node: usize, times: usize, frames: &[Placed]) {
        let mut turns: Vec<[f64; 4]> = Vec::with_capacity(frames.len());
        for Placed { rotation: [w, x, y, z], .. } in frames {
            let turn = [*x, *y, *z, *w];
            // q and −q are the same rotation: the one nearer to the frame before is reached by the shorter way.
            let along = turns.last().map_or(0.0, |last: &[f64; 4]| (0..4).map(|i| last[i] * turn[i]).sum());
            turns.push(if along < 0.0 { turn.map(|x| -x) } else { turn });
        }
        let translations: Vec<[f64; 3]> = frames.iter().map(|placed| placed.translation).collect();
        let scales: Vec<[f64; 3]> = frames.iter().map(|placed| placed.scale).collect();
        self.channel(node, times, "translation", &translations);
        self.channel(node, times, "rotation", &turns);
        self.channel(node, times, "scale", &scales);
    }

    fn channel<const N: usize>(&mut self, node: usize, times: usize, path: &str, values: &[[f64; N]]) {
        if values.iter().all(|value| *value == values[0]) {
            return;
        }
        let output = self.buffer.floats(Rows::Values, values);
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": times, "output": output }));
    }

    /// JSON and numbers in the container of glTF 2.0, 4.4.
    fn file(mut self, space: bool) -> Vec<u8> {
        let children: Vec<usize> = (0..self.nodes.len()).collect();
        let mut root = json!({ "name": "model", "children": children });
        if space {
            // y points upward in glTF
            let half = 0.5_f64.sqrt();
            root["rotation"] = json!([-half, 0.0, 0.0, half]);
        }
        self.nodes.push(root);
        self.buffer.bytes.resize(self.buffer.bytes.len().next_multiple_of(4), 0);
        let mut document = json!({
            "asset": { "version": "2.0", "generator": concat!("ode-view ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": [children.len()] }],
            "buffers": [{ "byteLength": self.buffer.bytes.len() }],
            "bufferViews": self.buffer.views,
            "accessors": self.buffer.accessors,
            "nodes": self.nodes,
        });
        // An empty list is not allowed.
        for (name, list) in [("meshes", self.meshes), ("materials", self.materials)] {
            if !list.is_empty() {
                document[name] = Value::Array(list);
            }
        }
        if !self.channels.is_empty() {
            document["animations"] = json!([{ "channels": self.channels, "samplers": self.samplers }]);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        container(&text, &self.buffer.bytes)
    }
}

fn container(text: &[u8], bytes: &[u8]) -> Vec<u8> {
    let word = |n: usize| (n as u32).to_le_bytes();
    let mut file = Vec::with_capacity(28 + text.len() + bytes.len());
    file.extend(b"glTF");
    file.extend(word(2));
    file.extend(word(28 + text.len() + bytes.len()));
    for (kind, chunk) in [(b"JSON", text), (b"BIN\0", bytes)] {
        file.extend(word(chunk.len()));
        file.extend(kind);
        file.extend(chunk);
    }
    file
}
