//! The array of an `.npy` member: a magic word, a header that is a Python dictionary, and the numbers.

use crate::mesh_io::binary::Scalar;

/// An array of numbers.
pub(super) struct Array {
    pub shape: Vec<usize>,
    kind: Scalar,
    big_endian: bool,
    fortran: bool,
    bytes: Vec<u8>,
    start: usize,
}

impl Array {
    /// Reads an array; the error is a sentence without its subject.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, String> {
        if !bytes.starts_with(b"\x93NUMPY") || bytes.len() < 12 {
            return Err("is no array: it does not start with the word NUMPY".into());
        }
        let (length, from) = match bytes[6] {
            1 => (Scalar::U16.int(&bytes[8..], false) as usize, 10),
            _ => (Scalar::U32.int(&bytes[8..], false) as usize, 12),
        };
        let start = from + length;
        let header = bytes.get(from..start).ok_or("has a header that is cut off")?;
        let header = std::str::from_utf8(header).map_err(|_| "has a header that is no text")?;
        let (kind, big_endian) = number_type(header)?;
        let shape = shape(header)?;
        let count = shape.iter().try_fold(1_usize, |product, &n| product.checked_mul(n));
        let needed = count.and_then(|count| count.checked_mul(kind.size()));
        if needed.is_none_or(|needed| bytes.len() - start < needed) {
            let (have, shape) = (bytes.len() - start, format!("{shape:?}"));
            return Err(format!("announces the shape {shape}, but has only {have} bytes"));
        }
        let fortran = after(header, "'fortran_order':")?.starts_with("True");
        Ok(Self { shape, kind, big_endian, fortran, bytes, start })
    }

    /// Rows of an array with two dimensions and `columns` columns.
    pub fn rows(&self, columns: usize) -> Option<usize> {
        match self.shape[..] {
            [rows, n] if n == columns => Some(rows),
            _ => None,
        }
    }

    fn at(&self, row: usize, column: usize) -> &[u8] {
        let (rows, columns) =
            (self.shape.first().copied().unwrap_or(1), self.shape.get(1).copied().unwrap_or(1));
        let index = if self.fortran { column * rows + row } else { row * columns + column };
        &self.bytes[self.start + index * self.kind.size()..]
    }

    pub fn real(&self, row: usize, column: usize) -> f64 {
        self.kind.real(self.at(row, column), self.big_endian)
    }

    /// All numbers, the last index fastest; `None` if the array has the other order.
    pub fn all(&self) -> Option<Vec<f64>> {
        let (count, size) = (self.shape.iter().product::<usize>(), self.kind.size());
        let bytes = &self.bytes[self.start..self.start + count * size];
        let read = || bytes.chunks_exact(size).map(|one| self.kind.real(one, self.big_endian)).collect();
        (!self.fortran || self.shape.len() < 2).then(read)
    }

    pub fn int(&self, row: usize, column: usize) -> i64 {
        self.kind.int(self.at(row, column), self.big_endian)
    }
}

fn after<'a>(header: &'a str, key: &str) -> Result<&'a str, String> {
    let at = header.find(key).ok_or_else(|| format!("has a header without {key}"))?;
    Ok(header[at + key.len()..].trim_start())
}

fn number_type(header: &str) -> Result<(Scalar, bool), String> {
    let rest = after(header, "'descr':")?;
    let name = rest.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).map(|(name, _)| name);
    let name = name.ok_or("has rows of mixed types; plain numbers are needed")?;
    let mut characters = name.chars();
    let order = characters.next().unwrap_or('|');
    let kind = match characters.as_str() {
        "i1" => Scalar::I8,
        "u1" | "b1" => Scalar::U8,
        "i2" => Scalar::I16,
        "u2" => Scalar::U16,
        "i4" => Scalar::I32,
        "u4" => Scalar::U32,
        "i8" => Scalar::I64,
        "u8" => Scalar::U64,
        "f4" => Scalar::F32,
        "f8" => Scalar::F64,
        _ => return Err(format!("has numbers of the type {name}; whole or real numbers are needed")),
    };
    Ok((kind, order == '>'))
}

fn shape(header: &str) -> Result<Vec<usize>, String> {
    let rest = after(header, "'shape':")?;
    let inside = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside);
    let inside = inside.ok_or("has a header without a shape")?;
    let numbers = inside.split(',').map(str::trim).filter(|text| !text.is_empty());
    numbers.map(|text| text.parse().map_err(|_| format!("has the shape ({inside})"))).collect()
}
