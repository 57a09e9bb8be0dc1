//! Plots by plotters: curves on the left, the legend on the right, where it covers none of them.

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Curve, Plot};
use crate::{ViewError, color, file};

/// Pixels of a letter of the legend, on average.
const LETTER: f64 = 7.5;
/// Pixels of a line of the legend.
const LINE: i32 = 22;
/// Plotters counts in whole pixels. An SVG is drawn with smaller ones, so that its curves are smooth.
const FINER: u32 = 8;

type Area<B> = DrawingArea<B, Shift>;

impl Plot {
    /// The text of an SVG.
    ///
    /// # Errors
    /// [`ViewError::Empty`] without curves, [`ViewError::NoNumber`] for a curve without a point that can be drawn,
    /// [`ViewError::Invalid`] for a size out of range, or numbers so far apart that their distance is infinite.
    pub fn svg(&self) -> Result<String, ViewError> {
        let (width, height) = self.pixels()?;
        let fine = (FINER * width, FINER * height);
        let mut text = String::new();
        Sheet { plot: self, finer: FINER as i32 }
            .draw(&SVGBackend::with_string(&mut text, fine).into_drawing_area())?;
        let size = |width: u32, height: u32| format!("width=\"{width}\" height=\"{height}\"");
        Ok(text.replacen(&size(fine.0, fine.1), &size(width, height), 1))
    }

    /// Writes a file: an SVG, or a PNG if its name ends with `.png`.
    ///
    /// # Errors
    /// Those of [`Plot::svg`], and [`ViewError::File`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), ViewError> {
        let path = path.as_ref();
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
            return file::write(path, &self.png()?);
        }
        file::write(path, self.svg()?.as_bytes())
    }

    #[cfg(feature = "png")]
    fn png(&self) -> Result<Vec<u8>, ViewError> {
        let (width, height) = self.pixels()?;
        let mut pixels = vec![0; 3 * width as usize * height as usize];
        Sheet { plot: self, finer: 1 }
            .draw(&BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area())?;
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels)).map_err(failed)?;
        Ok(file)
    }

    #[cfg(not(feature = "png"))]
    fn png(&self) -> Result<Vec<u8>, ViewError> {
        Err(ViewError::Drawing("PNG needs the feature `png` of ode-view".to_owned()))
    }
}

fn failed(error: impl std::fmt::Display) -> ViewError {
    ViewError::Drawing(error.to_string())
}

/// The font of a PNG; in an SVG it only measures, and the page brings its own.
fn font() -> Result<(), ViewError> {
    #[cfg(feature = "png")]
    plotters::style::register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular())
        .map_err(|_| ViewError::Drawing("the font is damaged".to_owned()))?;
    Ok(())
}

fn ink(k: usize) -> RGBColor {
    let [r, g, b] = color::of(k);
    RGBColor(r, g, b)
}

/// A plot on a sheet with smaller pixels.
struct Sheet<'a> {
    plot: &'a Plot,
    /// how many of its pixels are one
    finer: i32,
}

impl Sheet<'_> {
    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Result<(), ViewError> {
        font()?;
        root.fill(&WHITE).map_err(failed)?;
        let legend = self.legend();
        let longest = legend.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let width = if legend.is_empty() { 0 } else { self.finer * ((LETTER * longest as f64) as i32 + 60) };
        let (left, right) = root.split_horizontally(root.dim_in_pixel().0 as i32 - width);
        self.chart(&left)?;
        for (k, text) in legend.iter().enumerate() {
            self.entry(&right, k, text)?;
        }
        root.present().map_err(failed)
    }

    /// What the legend says; nothing for one curve that the axis names, unless it has a gap.
    fn legend(&self) -> Vec<String> {
        let gap = |curve: &Curve| {
            let first = curve.points.iter().find(|point| self.plot.place(**point).is_none())?;
            Some(format!(" (gap at {})", first.0))
        };
        let text = |curve: &Curve| format!("{}{}", curve.label, gap(curve).unwrap_or_default());
        match self.plot.curves.as_slice() {
            [one] if self.plot.upward.label == one.label && gap(one).is_none() => Vec::new(),
            all => all.iter().map(text).collect(),
        }
    }

    fn line(&self, k: usize) -> ShapeStyle {
        ink(k).stroke_width(2 * self.finer as u32)
    }

    fn text(&self, size: i32) -> TextStyle<'static> {
        TextStyle::from(("sans-serif", size * self.finer))
    }

    fn entry<B: DrawingBackend>(&self, area: &Area<B>, k: usize, text: &str) -> Result<(), ViewError> {
        let at = |x: i32| (x * self.finer, (50 + LINE * k as i32) * self.finer);
        area.draw(&PathElement::new(vec![at(4), at(28)], self.line(k))).map_err(failed)?;
        if self.plot.marks {
            area.draw(&Circle::new(at(16), 4 * self.finer, ink(k).filled())).map_err(failed)?;
        }
        let style = self.text(15).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw_text(text, &style, at(34)).map_err(failed)
    }

    fn chart<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), ViewError> {
        let Self { plot, finer } = *self;
        let (across, upward) = plot.ranges();
        let mut builder = ChartBuilder::on(area);
        builder.margin(14 * finer).x_label_area_size(46 * finer).y_label_area_size(72 * finer);
        if !plot.title.is_empty() {
            builder.caption(&plot.title, self.text(20));
        }
        let mut chart = builder.build_cartesian_2d(across.clone(), upward.clone()).map_err(failed)?;
        let mut mesh = chart.configure_mesh();
        // An empty text would be drawn beside the picture.
        if !plot.across.label.is_empty() {
            mesh.x_desc(&plot.across.label);
        }
        if !plot.upward.label.is_empty() {
            mesh.y_desc(&plot.upward.label);
        }
        mesh.max_light_lines(0)
            .bold_line_style(BLACK.mix(0.12).stroke_width(finer as u32))
            .axis_style(BLACK.mix(0.5).stroke_width(finer as u32))
            .set_all_tick_mark_size(5 * finer)
            .label_style(self.text(15))
            .axis_desc_style(self.text(16))
            .x_label_formatter(&|x| plot.across.text(*x, &across))
            .y_label_formatter(&|y| plot.upward.text(*y, &upward))
            .draw()
            .map_err(failed)?;
        for (k, curve) in plot.curves.iter().enumerate() {
            let places: Vec<Option<(f64, f64)>> = curve.points.iter().map(|point| plot.place(*point)).collect();
            for piece in places.split(Option::is_none) {
                let piece = piece.iter().copied().flatten();
                chart.draw_series(LineSeries::new(piece.clone(), self.line(k))).map_err(failed)?;
                // A point between two gaps is seen too.
                if plot.marks || piece.clone().count() == 1 {
                    let mark = |place| Circle::new(place, 4 * finer, ink(k).filled());
                    chart.draw_series(piece.map(mark)).map_err(failed)?;
                }
            }
        }
        Ok(())
    }
}
