//! Tables as Parquet files.
//!
//! Every column is optional; numbers are stored plainly, with all bits. Two tables with the same cells have the same bytes: nothing says when or where
//! they were written.

use crate::column::{Cell, Column, Kind};
use crate::error::SweepError;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Columns with their cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// What is stored beside the cells.
    pub remarks: Vec<(String, String)>,
}

impl Table {
    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

/// Writes tables group by group, so that no table is too long for the memory.
pub(crate) struct TableWriter<W: Write + Send> {
    out: SerializedFileWriter<W>,
    columns: Vec<Column>,
}

impl<W: Write + Send> TableWriter<W> {
    pub fn new(out: W, columns: &[Column], remarks: &[(String, String)]) -> Result<Self, ParquetError> {
        let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder("sinew").with_fields(fields).build()?;
        let remarks = remarks.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        let remarks: Vec<KeyValue> = remarks.collect();
        let properties = WriterProperties::builder()
            .set_created_by(concat!("sinew ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata((!remarks.is_empty()).then_some(remarks))
            .build();
        let out = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        Ok(Self { out, columns: columns.to_vec() })
    }

    /// Adds rows as a group of their own.
    pub fn group(&mut self, rows: &[Vec<Cell>]) -> Result<(), ParquetError> {
        let mut group = self.out.next_row_group()?;
        for (i, column) in self.columns.iter().enumerate() {
            let Some(mut writer) = group.next_column()? else { break };
            let cells = rows.iter().map(|row| row.get(i).unwrap_or(&Cell::Missing));
            match column.kind {
                Kind::Boolean => fill(writer.typed::<BoolType>(), cells, |cell| match cell {
                    Cell::Boolean(value) => Some(*value),
                    _ => None,
                })?,
                Kind::Integer => fill(writer.typed::<Int64Type>(), cells, |cell| match cell {
                    Cell::Integer(value) => Some(*value),
                    _ => None,
                })?,
                Kind::Real => fill(writer.typed::<DoubleType>(), cells, |cell| match cell {
                    Cell::Real(value) => Some(*value),
                    _ => None,
                })?,
                Kind::Text => fill(writer.typed::<ByteArrayType>(), cells, |cell| match cell {
                    Cell::Text(text) => Some(ByteArray::from(text.as_str())),
                    _ => None,
                })?,
            }
            writer.close()?;
        }
        group.close().map(drop)
    }

    pub fn finish(self) -> Result<W, ParquetError> {
        self.out.into_inner()
    }
}

/// A table in memory.
pub(crate) fn encode(
    columns: &[Column],
    rows: &[Vec<Cell>],
    remarks: &[(String, String)],
) -> Result<Vec<u8>, SweepError> {
    let write = || {
        let mut writer = TableWriter::new(Vec::new(), columns, remarks)?;
        writer.group(rows)?;
        writer.finish()
    };
    write().map_err(|error: ParquetError| SweepError::Encode(error.to_string()))
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match column.kind {
        Kind::Boolean => (Physical::BOOLEAN, None),
        Kind::Integer => (Physical::INT64, None),
        Kind::Real => (Physical::DOUBLE, None),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let field = Type::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical);
    field.build().map(Arc::new)
}

fn fill<'a, T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    cells: impl Iterator<Item = &'a Cell>,
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let (mut values, mut there) = (Vec::new(), Vec::new());
    for cell in cells {
        let value = value(cell);
        there.push(i16::from(value.is_some()));
        values.extend(value);
    }
    writer.write_batch(&values, Some(&there), None).map(drop)
}

/// Reads a table that a sweep wrote.
///
/// # Errors
/// [`SweepError::Read`] or [`SweepError::Table`], with the file.
pub fn read(path: &Path) -> Result<Table, SweepError> {
    let file = File::open(path).map_err(SweepError::read(path))?;
    let fail = |error: ParquetError| SweepError::Table {
        path: path.to_owned(),
        what: format!("this is no table of a sweep: {error}"),
    };
    let reader = SerializedFileReader::new(file).map_err(fail)?;
    decode(&reader).map_err(fail)
}

fn decode(reader: &dyn FileReader) -> Result<Table, ParquetError> {
    let data = reader.metadata().file_metadata();
    let mut table = Table::default();
    for field in data.schema_descr().columns() {
        let kind = match field.physical_type() {
            Physical::BOOLEAN => Kind::Boolean,
            Physical::INT64 => Kind::Integer,
            Physical::DOUBLE => Kind::Real,
            Physical::BYTE_ARRAY => Kind::Text,
            other => return Err(ParquetError::General(format!("{} is a column of {other}", field.name()))),
        };
        table.columns.push(Column { name: field.name().to_owned(), kind });
    }
    let remarks = data.key_value_metadata().into_iter().flatten();
    table.remarks = remarks.map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default())).collect();
    for g in 0..reader.num_row_groups() {
        let group = reader.get_row_group(g)?;
        let count = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let first = table.rows.len();
        table.rows.resize_with(first + count, || Vec::with_capacity(table.columns.len()));
        for i in 0..table.columns.len() {
            let rows = &mut table.rows[first..];
            match group.get_column_reader(i)? {
                ColumnReader::BoolColumnReader(column) => append(column, rows, Cell::Boolean)?,
                ColumnReader::Int64ColumnReader(column) => append(column, rows, Cell::Integer)?,
                ColumnReader::DoubleColumnReader(column) => append(column, rows, Cell::Real)?,
                ColumnReader::ByteArrayColumnReader(column) => append(column, rows, |bytes| {
                    Cell::Text(String::from_utf8_lossy(bytes.data()).into_owned())
                })?,
                _ => return Err(ParquetError::General("a column of another kind".into())),
            }
        }
    }
    Ok(table)
}

fn append<T: DataType>(
    mut column: ColumnReaderImpl<T>,
    rows: &mut [Vec<Cell>],
    cell: impl Fn(T::T) -> Cell,
) -> Result<(), ParquetError> {
    let (mut there, mut values) = (Vec::new(), Vec::new());
    while there.len() < rows.len() {
        let (read, ..) =
            column.read_records(rows.len() - there.len(), Some(&mut there), None, &mut values)?;
        if read == 0 {
            return Err(ParquetError::EOF("a column is shorter than its table".into()));
        }
    }
    let mut values = values.into_iter();
    for (row, there) in rows.iter_mut().zip(there) {
        row.push(if there == 1 { values.next().map_or(Cell::Missing, &cell) } else { Cell::Missing });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        let kinds = [Kind::Integer, Kind::Boolean, Kind::Real, Kind::Text];
        let named = kinds.iter().zip(["run", "ok", "energy.drift", "failure"]);
        named.map(|(&kind, name)| Column { name: name.into(), kind }).collect()
    }

    #[test]
    fn tables_keep_every_bit() {
        let hard = [0.1, -0.0, f64::NAN, f64::INFINITY, 5e-324, f64::MAX];
        let rows: Vec<Vec<Cell>> = (0..3000)
            .map(|i| {
                let text = if i % 3 == 0 { Cell::Missing } else { Cell::Text(format!("why {i} ü")) };
                let real = if i % 5 == 0 { Cell::Missing } else { Cell::Real(hard[i % hard.len()]) };
                vec![Cell::Integer(i as i64 - 7), Cell::Boolean(i % 2 == 0), real, text]
            })
            .collect();
        let remarks = [("sinew.seconds".to_owned(), "1.5".to_owned())];
        let bytes = encode(&columns(), &rows, &remarks).unwrap();
        assert_eq!(bytes, encode(&columns(), &rows, &remarks).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        std::fs::write(&path, &bytes).unwrap();
        let table = read(&path).unwrap();
        assert_eq!((table.columns, table.remarks), (columns(), remarks.to_vec()));
        assert_eq!(table.rows.len(), rows.len());
        for (found, row) in table.rows.iter().zip(&rows) {
            match (&found[2], &row[2]) {
                (Cell::Real(a), Cell::Real(b)) => assert_eq!(a.to_bits(), b.to_bits()),
                (a, b) => assert_eq!(a, b),
            }
            assert_eq!((&found[0], &found[1], &found[3]), (&row[0], &row[1], &row[3]));
        }
    }

    #[test]
    fn damaged_tables_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let bytes = encode(&columns(), &[vec![Cell::Integer(1)]], &[]).unwrap();
        for damaged in [&bytes[..bytes.len() / 2], b"PAR1", b"", &bytes[10..]] {
            std::fs::write(&path, damaged).unwrap();
            assert!(matches!(read(&path), Err(SweepError::Table { .. })));
        }
        assert!(matches!(read(&folder.path().join("none")), Err(SweepError::Read { .. })));
    }
}
