//! Arrays of Python to vectors of the engine, with sentences about what does not fit.
//!
//! What is a number is accepted in any layout and precision (lists, int, float32, Fortran order, negative strides) and converted by NumPy;
//! what is none (complex, text, objects) or has another shape is refused, as are NaN and infinity.

use crate::errors::Kind;
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::DVec3;
use std::fmt::Write as _;

/// A checked array in C order with its shape.
struct Plain<T> {
    shape: Vec<usize>,
    values: Vec<T>,
}

fn describe(shape: &[usize]) -> String {
    match shape {
        [] => "a single number".to_owned(),
        _ => {
            let mut text = String::from("(");
            for (i, n) in shape.iter().enumerate() {
                let _ = write!(text, "{}{n}", if i == 0 { "" } else { ", " });
            }
            text + if shape.len() == 1 { ",)" } else { ")" }
        }
    }
}

fn plain<'py, T: numpy::Element + Copy>(
    what: &str,
    value: &Bound<'py, PyAny>,
    kinds: &str,
    wanted: &str,
    dtype: &str,
) -> PyResult<Plain<T>> {
    let py = value.py();
    let numpy = py.import("numpy")?;
    let array = numpy
        .call_method1("asarray", (value,))
        .map_err(|error| Kind::Array.error(format_args!("{what} is no array: {}", error.value(py))))?;
    let own = array.getattr("dtype")?;
    let kind: String = own.getattr("kind")?.extract()?;
    let empty = array.getattr("size")?.extract::<usize>()? == 0;
    if !kinds.contains(kind.as_str()) && !empty {
        return Err(Kind::Array.error(format_args!("{what} must hold {wanted}, has dtype {own}")));
    }
    let options = PyDict::new(py);
    options.set_item("dtype", dtype)?;
    options.set_item("order", "C")?;
    let array = numpy.call_method("asarray", (array,), Some(&options))?;
    let array: PyReadonlyArrayDyn<'py, T> = array.extract()?;
    let shape = numpy::PyUntypedArrayMethods::shape(&*array).to_vec();
    let values = array.as_slice().map_err(|error| Kind::Array.error(format_args!("{what}: {error}")))?;
    Ok(Plain { shape, values: values.to_vec() })
}

fn reals(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Plain<f64>> {
    let plain: Plain<f64> = plain(what, value, "fiu", "real numbers", "float64")?;
    match plain.values.iter().position(|x| !x.is_finite()) {
        None => Ok(plain),
        Some(at) => {
            // Row-major position to an index for each axis.
            let mut rest = at;
            let mut index: Vec<usize> = plain
                .shape
                .iter()
                .rev()
                .map(|&n| {
                    let i = rest % n.max(1);
                    rest /= n.max(1);
                    i
                })
                .collect();
            index.reverse();
            let index: Vec<String> = index.iter().map(ToString::to_string).collect();
            let value = plain.values[at];
            Err(Kind::Array
                .error(format_args!("{what}[{}] is {value}, which is not finite", index.join(", "))))
        }
    }
}

/// Points or vectors, (n, 3).
pub fn points(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<DVec3>> {
    let Plain { shape, values } = reals(what, value)?;
    match shape[..] {
        [_, 3] => Ok(values.chunks_exact(3).map(DVec3::from_slice).collect()),
        [0] => Ok(Vec::new()),
        _ => {
            Err(Kind::Array
                .error(format_args!("{what} must have the shape (n, 3), has {}", describe(&shape))))
        }
    }
}

/// Points or vectors, (rows, 3).
pub fn rows(what: &str, value: &Bound<'_, PyAny>, rows: usize) -> PyResult<Vec<DVec3>> {
    let Plain { shape, values } = reals(what, value)?;
    if shape == [rows, 3] {
        return Ok(values.chunks_exact(3).map(DVec3::from_slice).collect());
    }
    Err(Kind::Array.error(format_args!("{what} must have the shape ({rows}, 3), has {}", describe(&shape))))
}

/// Points or vectors of several runs, (runs, rows, 3).
pub fn stacked(what: &str, value: &Bound<'_, PyAny>, runs: usize, rows: usize) -> PyResult<Vec<DVec3>> {
    let Plain { shape, values } = reals(what, value)?;
    if shape == [runs, rows, 3] {
        return Ok(values.chunks_exact(3).map(DVec3::from_slice).collect());
    }
    let found = describe(&shape);
    Err(Kind::Array.error(format_args!("{what} must have the shape ({runs}, {rows}, 3), has {found}")))
}

/// Three numbers.
pub fn vector(what: &str, value: &Bound<'_, PyAny>) -> PyResult<DVec3> {
    let Plain { shape, values } = reals(what, value)?;
    match values[..] {
        [x, y, z] if shape.len() == 1 => Ok(DVec3::new(x, y, z)),
        _ => {
            Err(Kind::Array.error(format_args!("{what} must have the shape (3,), has {}", describe(&shape))))
        }
    }
}

/// A quaternion x, y, z, w, of any length.
pub fn rotation(what: &str, value: &Bound<'_, PyAny>) -> PyResult<sinew::DQuat> {
    let Plain { shape, values } = reals(what, value)?;
    match values[..] {
        [x, y, z, w] if shape.len() == 1 && values.iter().any(|&c| c != 0.0) => {
            Ok(sinew::DQuat::from_xyzw(x, y, z, w).normalize())
        }
        [_, _, _, _] if shape.len() == 1 => {
            Err(Kind::Array.error(format_args!("{what} is zero, which is no rotation")))
        }
        _ => {
            let found = describe(&shape);
            Err(Kind::Array
                .error(format_args!("{what} must be a quaternion x, y, z, w of the shape (4,), has {found}")))
        }
    }
}

/// A number for each of `count` things: given as such, or as one for all.
pub fn each(what: &str, value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<f64>> {
    let Plain { shape, values } = reals(what, value)?;
    match shape[..] {
        [] => Ok(vec![values.first().copied().unwrap_or_default(); count]),
        [n] if n == count => Ok(values),
        _ => {
            let found = describe(&shape);
            Err(Kind::Array
                .error(format_args!("{what} must be one number or have the shape ({count},), has {found}")))
        }
    }
}

fn whole(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Plain<i64>> {
    plain(what, value, "iu", "whole numbers", "int64")
}

fn number(what: &str, at: usize, value: i64) -> PyResult<u32> {
    u32::try_from(value).map_err(|_| {
        Kind::Array.error(format_args!("{what}: entry {at} is {value}, which is no vertex number"))
    })
}

/// Vertex numbers of elements with K corners, (n, K).
pub fn elements<const K: usize>(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; K]>> {
    let Plain { shape, values } = whole(what, value)?;
    if shape == [0] {
        return Ok(Vec::new());
    }
    if shape.len() != 2 || shape[1] != K {
        let found = describe(&shape);
        return Err(Kind::Array.error(format_args!("{what} must have the shape (n, {K}), has {found}")));
    }
    let mut out = Vec::with_capacity(shape[0]);
    for (row, corners) in values.chunks_exact(K).enumerate() {
        let mut element = [0; K];
        for (place, &corner) in element.iter_mut().zip(corners) {
            *place = number(what, row, corner)?;
        }
        out.push(element);
    }
    Ok(out)
}

/// A list of vertex numbers, (n,); a single number is a list of one.
pub fn numbers(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let Plain { shape, values } = whole(what, value)?;
    if shape.len() > 1 {
        let found = describe(&shape);
        return Err(Kind::Array.error(format_args!("{what} must have the shape (n,), has {found}")));
    }
    values.iter().enumerate().map(|(at, &value)| number(what, at, value)).collect()
}

/// Which of `count` runs are meant: a mask of booleans, (count,).
pub fn mask(what: &str, value: Option<&Bound<'_, PyAny>>, count: usize) -> PyResult<Vec<bool>> {
    let Some(value) = value else { return Ok(vec![true; count]) };
    let Plain { shape, values }: Plain<bool> = plain(what, value, "b", "True or False for each run", "bool")?;
    if shape == [count] {
        return Ok(values);
    }
    Err(Kind::Array.error(format_args!("{what} must have the shape ({count},), has {}", describe(&shape))))
}

/// A new array (n, 3).
pub fn to_array<'py>(py: Python<'py>, points: &[DVec3]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let flat: Vec<f64> = bytemuck::cast_slice(points).to_vec();
    numpy::PyArray1::from_vec(py, flat).reshape([points.len(), 3])
}

/// A new array (n, rows, 3) of `n` equally long lists.
pub fn to_stack<'a, 'py>(
    py: Python<'py>,
    rows: usize,
    lists: impl ExactSizeIterator<Item = &'a [DVec3]>,
) -> PyResult<Bound<'py, numpy::PyArray3<f64>>> {
    let count = lists.len();
    let mut flat: Vec<f64> = Vec::with_capacity(count * rows * 3);
    lists.for_each(|list| flat.extend_from_slice(bytemuck::cast_slice(list)));
    numpy::PyArray1::from_vec(py, flat).reshape([count, rows, 3])
}
