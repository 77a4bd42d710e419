//! PNG, GIF and CSV files read back.

use sinew_scene::export::{
    ExportError,
    animation::GifWriter,
    colour::Colour,
    csv::{CsvTable, CsvWriter, Digits},
    image::Image,
};
use std::{fs::File, io::BufReader};

/// A smooth gradient with a dark square at `at`.
fn picture(at: i64) -> Image {
    let mut image = Image::filled(60, 40, Colour::WHITE).unwrap();
    for y in 0..40 {
        for x in 0..60 {
            image.blend(x, y, Colour::hex(0x60_90_c0), (x + y) as f64 / 100.0);
            if (at..at + 8).contains(&x) && (10..18).contains(&y) {
                image.blend(x, y, Colour::hex(0xb0_20_20), 1.0);
            }
        }
    }
    image
}

/// The frames of a GIF as a viewer shows them, with their delays in hundredths of a second.
pub fn play(path: &std::path::Path) -> Vec<(Vec<u8>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(path).unwrap()).unwrap();
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut screen = vec![0; width * height * 3];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top, wide) = (usize::from(frame.left), usize::from(frame.top), usize::from(frame.width));
        for (i, pixel) in frame.buffer.chunks(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let at = 3 * ((top + i / wide) * width + left + i % wide);
            screen[at..at + 3].copy_from_slice(&pixel[..3]);
        }
        frames.push((screen.clone(), frame.delay));
    }
    frames
}

#[test]
fn a_png_reads_back_to_the_same_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let image = picture(5);
    image.write_png(&path).unwrap();
    let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height), (60, 40));
    assert_eq!(bytes, image.bytes());
}

#[test]
fn a_folder_that_is_not_there_is_named_in_the_error() {
    let error = picture(0).write_png("/no/such/folder/picture.png").unwrap_err();
    assert!(error.to_string().contains("/no/such/folder/picture.png"), "{error}");
}

#[test]
fn a_gif_shows_every_frame_close_to_the_original() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moving.gif");
    let frames: Vec<Image> = [0, 6, 12, 12, 45].map(picture).to_vec();
    let mut gif = GifWriter::create(&path, 60, 40, 30.0).unwrap();
    for frame in &frames {
        gif.add(frame).unwrap();
    }
    gif.finish().unwrap();
    let played = play(&path);
    assert_eq!(played.len(), frames.len());
    for (k, (shown, frame)) in played.iter().zip(&frames).enumerate() {
        let worst = shown.0.iter().zip(frame.bytes()).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(worst <= 16, "frame {k}: off by {worst} levels");
    }
}

#[test]
fn a_colour_that_appears_later_is_shown_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.gif");
    let mut gif = GifWriter::create(&path, 30, 30, 10.0).unwrap();
    gif.add(&Image::filled(30, 30, Colour::WHITE).unwrap()).unwrap();
    let mut late = Image::filled(30, 30, Colour::WHITE).unwrap();
    late.blend(7, 9, Colour::hex(0x10_a0_10), 1.0);
    gif.add(&late).unwrap();
    gif.finish().unwrap();
    let shown = &play(&path)[1].0;
    assert_eq!(shown[3 * (9 * 30 + 7)..][..3], [0x10, 0xa0, 0x10]);
    assert_eq!(shown[..3], [255; 3]);
}

#[test]
fn a_gif_keeps_time() {
    let folder = tempfile::tempdir().unwrap();
    for (fps, count, written) in [(30.0, 60, 60), (24.0, 48, 48), (60.0, 120, 80), (0.5, 2, 2)] {
        let path = folder.path().join("clock.gif");
        let mut gif = GifWriter::create(&path, 60, 40, fps).unwrap();
        for k in 0..count {
            gif.add(&picture(k % 50)).unwrap();
        }
        gif.finish().unwrap();
        let played = play(&path);
        let total: f64 = played.iter().map(|(_, delay)| f64::from(*delay) / 100.0).sum();
        assert!((total - count as f64 / fps).abs() < 0.03, "{fps} frames per second: {total} s");
        assert!(played.iter().all(|(_, delay)| *delay >= 2));
        assert_eq!(played.len(), written, "{fps} frames per second");
    }
}

#[test]
fn a_gif_refuses_frames_and_rates_that_do_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("refused.gif");
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(GifWriter::create(&path, 60, 40, fps), Err(ExportError::FrameRate(_))));
    }
    let mut gif = GifWriter::create(&path, 61, 40, 10.0).unwrap();
    assert!(matches!(gif.add(&picture(0)), Err(ExportError::FrameSize { frame: 0, .. })));
}

#[test]
fn tables_read_back_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let numbers =
        [0.1, -0.0, 1.0 / 3.0, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, 12_345_678.9, f64::NAN];
    for digits in [Digits::Shortest, Digits::Seventeen] {
        let path = folder.path().join("table.csv");
        let mut writer = CsvWriter::create(&path, &["time", "x"], digits).unwrap();
        for (i, &number) in numbers.iter().enumerate() {
            writer.row(&[i as f64, number]).unwrap();
        }
        writer.finish().unwrap();
        let table = CsvTable::read(&path).unwrap();
        assert_eq!(table.columns, ["time", "x"]);
        let read = table.column("x").unwrap();
        assert!(
            read.iter().zip(numbers).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
        );
        assert!(table.column("y").is_none());
    }
    let text = std::fs::read_to_string(folder.path().join("table.csv")).unwrap();
    assert!(text.contains("3.3333333333333331e-1"), "17 significant digits: {text}");
}

#[test]
fn tables_refuse_what_does_not_fit_and_say_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    assert!(CsvWriter::create(&path, &["a,b"], Digits::Shortest).is_err());
    assert!(CsvWriter::create::<&str>(&path, &[], Digits::Shortest).is_err());
    let mut writer = CsvWriter::create(&path, &["a", "b"], Digits::Shortest).unwrap();
    writer.row(&[1.0, 2.0]).unwrap();
    let error = writer.row(&[1.0]).unwrap_err().to_string();
    assert!(error.ends_with("line 3: 1 numbers for 2 columns"), "{error}");
    std::fs::write(&path, "a,b\n1,2\n\n3,four\n").unwrap();
    let error = CsvTable::read(&path).unwrap_err().to_string();
    assert!(error.ends_with("line 4: \"four\" is not a number"), "{error}");
    std::fs::write(&path, "").unwrap();
    assert!(CsvTable::read(&path).is_err());
}
