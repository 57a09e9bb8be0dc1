//! Plots as PNG.

use plotters::prelude::*;

use super::Plot;
use super::draw::{Sheet, failed};
use crate::ViewError;

impl Plot {
    /// The bytes of a PNG.
    pub(super) fn png(&self) -> Result<Vec<u8>, ViewError> {
        let (width, height) = self.pixels()?;
        let finer = finer(width, height);
        let fine = (finer * width, finer * height);
        let mut pixels = vec![255; 3 * fine.0 as usize * fine.1 as usize];
        Sheet::of(self, (width, height), finer)
            .draw(&BitMapBackend::with_buffer(&mut pixels, fine).into_drawing_area())?;
        let pixels = averages(&pixels, fine.0 as usize, finer as usize);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels)).map_err(failed)?;
        Ok(file)
    }
}

/// How many smaller pixels are one of a PNG, along each edge: plotters draws lines of whole pixels, which are of
/// different width at different slopes. Fewer in a large picture, whose pixels are small and whose memory is not.
fn finer(width: u32, height: u32) -> u32 {
    match u64::from(width) * u64::from(height) {
        0..4_000_000 => 4,
        4_000_000..16_000_000 => 2,
        _ => 1,
    }
}

/// One pixel of each square of pixels: their average.
fn averages(pixels: &[u8], width: usize, finer: usize) -> Vec<u8> {
    let mut all = Vec::with_capacity(pixels.len() / (finer * finer));
    let mut sums = vec![0_u16; 3 * width / finer];
    for rows in pixels.chunks_exact(3 * width * finer) {
        sums.fill(0);
        for row in rows.chunks_exact(3 * width) {
            for (sum, square) in sums.chunks_exact_mut(3).zip(row.chunks_exact(3 * finer)) {
                for pixel in square.chunks_exact(3) {
                    for (sum, value) in sum.iter_mut().zip(pixel) {
                        *sum += u16::from(*value);
                    }
                }
            }
        }
        all.extend(sums.iter().map(|sum| (usize::from(*sum) / (finer * finer)) as u8));
    }
    all
}
