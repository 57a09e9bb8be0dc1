//! The binary part of a file, and what its JSON says of it.

use serde_json::{Value, json};

/// Numbers of single precision.
const FLOAT: u32 = 5126;
/// Whole numbers below 65536.
const UNSIGNED_SHORT: u32 = 5123;
/// A view of what stands at a corner.
const ARRAY: u32 = 34962;
/// A view of the corners of triangles.
const ELEMENT_ARRAY: u32 = 34963;

/// What rows of numbers are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// of a surface
    Points,
    /// of a surface
    Normals,
    /// of an animation
    Times,
    /// of an animation
    Values,
}

/// Numbers, and their views and accessors (glTF 2.0, 3.6).
#[derive(Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

impl Buffer {
    /// Appends rows of numbers, and returns the number of their accessor. Times and points need their bounds.
    pub(super) fn floats<const N: usize>(&mut self, what: Rows, rows: &[[f64; N]]) -> usize {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let single: Vec<[f32; N]> = rows.iter().map(|row| row.map(|x| x as f32)).collect();
        let bytes: Vec<u8> = single.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let mut accessor = json!({ "componentType": FLOAT, "count": rows.len(), "type": kind });
        if matches!(what, Rows::Points | Rows::Times) {
            let fold = |start: f32, pick: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..N).map(|i| single.iter().fold(start, |m, row| pick(m, row[i]))).collect()
            };
            accessor["min"] = json!(fold(f32::INFINITY, f32::min));
            accessor["max"] = json!(fold(f32::NEG_INFINITY, f32::max));
        }
        let target = matches!(what, Rows::Points | Rows::Normals).then_some(ARRAY);
        self.append(&bytes, accessor, target)
    }

    /// Appends the corners of triangles.
    pub(super) fn indices(&mut self, indices: &[u16]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let accessor = json!({ "componentType": UNSIGNED_SHORT, "count": indices.len(), "type": "SCALAR" });
        self.append(&bytes, accessor, Some(ELEMENT_ARRAY))
    }

    fn append(&mut self, bytes: &[u8], mut accessor: Value, target: Option<u32>) -> usize {
        // Every accessor begins at a multiple of its numbers' size.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        accessor["bufferView"] = json!(self.views.len());
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
