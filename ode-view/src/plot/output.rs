//! Plots as text and as files.

use std::path::Path;

use plotters::prelude::*;

use super::Plot;
use super::draw::{Sheet, failed};
use crate::{ViewError, file};

/// Plotters counts in whole pixels. An SVG is drawn with smaller ones, so that its curves are smooth.
const FINER: u32 = 8;

impl Plot {
    /// The text of an SVG.
    ///
    /// # Errors
    /// [`ViewError::Empty`] without curves, [`ViewError::NoPoints`] and [`ViewError::NoNumber`] for a curve without a
    /// point that can be drawn, [`ViewError::Invalid`] for a size out of range, or numbers so far apart that their
    /// distance is infinite.
    pub fn svg(&self) -> Result<String, ViewError> {
        let (width, height) = self.pixels()?;
        let fine = (FINER * width, FINER * height);
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, fine).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        Sheet::of(self, (width, height), FINER).draw(&area)?;
        drop(area);
        let size = |width: u32, height: u32| format!("width=\"{width}\" height=\"{height}\"");
        Ok(text.replacen(&size(fine.0, fine.1), &size(width, height), 1))
    }

    /// Writes a file: an SVG, or a PNG if its name ends with `.png`. Missing folders are made.
    ///
    /// # Errors
    /// Those of [`Plot::svg`], [`ViewError::Ending`] and [`ViewError::File`]; then nothing was written, and a file of
    /// this name is as it was.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), ViewError> {
        let path = path.as_ref();
        match file::ending(path, &["svg", "png"])? {
            "png" => file::write(path, &self.png()?),
            _ => file::write(path, self.svg()?.as_bytes()),
        }
    }

    #[cfg(not(feature = "png"))]
    fn png(&self) -> Result<Vec<u8>, ViewError> {
        Err(ViewError::Drawing("PNG needs the feature `png` of ode-view".to_owned()))
    }
}
